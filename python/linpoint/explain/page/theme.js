// Dark or light? As the system says, until somebody presses the button. Runs before anything is painted.
document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
