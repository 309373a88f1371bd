"""Requests to the server under test. They wait a minute for an answer, since a busy machine is slow to give it.

All are made with one TLS context, though none needs it: httpx loads the authorities' certificates for each request
else, which takes 40 ms of CPU.
"""

import ssl
from functools import partial

import httpx

TIMEOUT = 60
"""Seconds. The default of httpx is 5, which eight busy processes beside the tests exceed."""

_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)

get = partial(httpx.get, timeout=TIMEOUT, verify=_TLS)
post = partial(httpx.post, timeout=TIMEOUT, verify=_TLS)
put = partial(httpx.put, timeout=TIMEOUT, verify=_TLS)
delete = partial(httpx.delete, timeout=TIMEOUT, verify=_TLS)
request = partial(httpx.request, timeout=TIMEOUT, verify=_TLS)
stream = partial(httpx.stream, timeout=TIMEOUT, verify=_TLS)
