"""Requests to the server under test. They wait a minute for an answer, since a busy machine is slow to give it."""

from functools import partial

import httpx

TIMEOUT = 60
"""Seconds. The default of httpx is 5, which eight busy processes beside the tests exceed."""

get = partial(httpx.get, timeout=TIMEOUT)
post = partial(httpx.post, timeout=TIMEOUT)
put = partial(httpx.put, timeout=TIMEOUT)
delete = partial(httpx.delete, timeout=TIMEOUT)
request = partial(httpx.request, timeout=TIMEOUT)
stream = partial(httpx.stream, timeout=TIMEOUT)
