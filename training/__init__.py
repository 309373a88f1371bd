"""How the embedded judge is made: prepare, synthesise, train, calibrate, export, evaluate; one command each."""
