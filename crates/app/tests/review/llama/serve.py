"""llama.cpp's own HTTP server, as the package xllamacpp carries it, with one model on a free port of this machine.

Says where it listens in one line, and ends when its standard input does: it does not outlive the test.
"""

import os
import sys

import xllamacpp

params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.hostnames = ["127.0.0.1"]
params.port = 0
params.n_ctx = 65536
params.n_parallel = 2
params.cpuparams.n_threads = 1
params.cpuparams_batch.n_threads = 1
server = xllamacpp.Server(params)
print("listening on", server.listening_address, flush=True)
sys.stdin.read()
os._exit(0)
