"""Verifies deliveries on standard input with Python's standardwebhooks, which knows nothing of this service."""

import json
import sys

from standardwebhooks import Webhook, WebhookVerificationError

OTHER = "whsec_" + "CQkJ" * 10 + "CQk="


def is_refused(secret, body, headers):
    try:
        Webhook(secret).verify(body, headers)
    except WebhookVerificationError:
        return True
    return False


deliveries = json.load(sys.stdin)
assert len(deliveries) >= 6
for delivery in deliveries:
    secret, body, headers = delivery["secret"], delivery["body"], delivery["headers"]
    # During an overlap with either secret.
    for known in (secret, delivery["olderSecret"]):
        assert Webhook(known).verify(body, headers) == json.loads(body)
    assert is_refused(OTHER, body, headers)
    assert is_refused(secret, body + " ", headers)
    assert is_refused(secret, body, {**headers, "webhook-id": "another"})
    old = str(int(headers["webhook-timestamp"]) - 600)
    assert is_refused(secret, body, {**headers, "webhook-timestamp": old})
print(f"{len(deliveries)} deliveries verified by Python's standardwebhooks")
