from ragstone.event import Event, RowRejected, broadcast


def test_broadcast_tells_every_listener_in_order() -> None:
    heard: list[tuple[str, Event]] = []
    emit = broadcast(lambda event: heard.append(("a", event)), lambda event: heard.append(("b", event)))
    event = RowRejected("row 1")
    emit(event)
    assert heard == [("a", event), ("b", event)]
