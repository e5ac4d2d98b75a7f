"""Creates an organization, has a change reviewed, and follows a review while it runs.

SERVICE_URL and HUNKWISE_TOKEN name the service and an access token with the scopes organizations:read, organizations:write and
reviews:write. The service grants entitlements with new organizations (grant_on_create = "owner").
"""

import json
import os
from collections.abc import Iterator
from typing import Any

from hunkwise_client import AuthenticatedClient
from hunkwise_client.api.organizations import create_organization, list_organizations
from hunkwise_client.api.reviews import review_diff
from hunkwise_client.models import (
    CreateOrganization,
    OrganizationList,
    OrganizationResponse,
    Priority,
    Problem,
    Review,
    ReviewProgress,
    ReviewRequest,
)

DIFF = """\
--- a/cart.py
+++ b/cart.py
@@ -1,2 +1,3 @@
-def total(prices):
+def total(prices, seen=[]):
+    seen.append(1)
     return sum(prices)
"""


def events(client: AuthenticatedClient, organization: str, request: ReviewRequest) -> Iterator[tuple[str, Any]]:
    """The server-sent events of a review: `progress` any number of times, then `review` or `error`."""
    path = f"/v1/organizations/{organization}/reviews/diff/sync"
    headers = {"Accept": "text/event-stream"}
    with client.get_httpx_client().stream("POST", path, json=request.to_dict(), headers=headers) as response:
        response.raise_for_status()
        name = ""
        for line in response.iter_lines():
            field, _, value = line.partition(":")
            if field == "event":
                name = value.strip()
            elif field == "data":
                yield name, json.loads(value)


def main() -> None:
    with AuthenticatedClient(base_url=os.environ["SERVICE_URL"], token=os.environ["HUNKWISE_TOKEN"]) as client:
        created = create_organization.sync(client=client, body=CreateOrganization(name="Acme"), idempotency_key="example")
        assert isinstance(created, OrganizationResponse), created
        organization = created.organization_id
        listed = list_organizations.sync(client=client)
        assert isinstance(listed, OrganizationList)
        assert [one.organization_id for one in listed.organizations] == [organization]

        request = ReviewRequest(diff=DIFF, client_reference="example")
        review = review_diff.sync(organization, client=client, body=request)
        assert isinstance(review, Review), review
        assert review.client_reference == "example"
        (finding,) = review.findings
        assert (finding.file_path, finding.line_number, finding.priority) == ("cart.py", 1, Priority.P2), finding
        assert finding.rule_id == "python/mutable-default-argument"

        names = []
        for name, data in events(client, organization, request):
            names.append(name)
            if name == "progress":
                assert ReviewProgress.from_dict(data).chunks_total == 1
            elif name == "review":
                assert Review.from_dict(data).findings == review.findings
        assert names[-1] == "review", names

        refused = review_diff.sync(organization, client=client, body=ReviewRequest(diff="no diff"))
        assert isinstance(refused, Problem)
        assert refused.code == "INVALID_REQUEST", refused
    print("organization created, change reviewed, review followed")


if __name__ == "__main__":
    main()
