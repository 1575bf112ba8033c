module linpoint/bench/peers/recorder

go 1.22
