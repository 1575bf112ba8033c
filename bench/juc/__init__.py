"""Ten classes of java.util.concurrent: the recorder (Java), the judge (linpoint), and the paper's figures."""
