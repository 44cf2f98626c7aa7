//! What remains of a person's own audience when the person is erased: nothing.

use pagesmith_model::PersonId;
use pagesmith_operations::persons::erase;
use serde_json::json;

use super::{audience, with_page};

#[tokio::test]
async fn a_persons_own_audience_is_erased_with_the_person() {
    let (app, client, page) = with_page().await;
    audience(&client, &page, &json!({})).await;
    let person = client.post("/v0/persons", &json!({ "name": "Jane Doe" })).await.expect(201).json();
    let own = json!({ "personId": person["personId"], "supplementaryContext": "About Jane" });
    let path = audience(&client, &page, &own).await;
    client.post(&format!("{path}/versions"), &json!({ "operationKey": "k" })).await.expect(201);
    app.write_versions().await;
    client.post(&format!("{path}/versions"), &json!({})).await.expect(201);
    assert_eq!(client.get(&page).await.expect(200).json()["audiencesCount"], 2);
    let link = client.get(&format!("{path}/link")).await.expect(200).json();

    let (ctx, id) = (app.platform.context().of(app.tenant.clone()), person["personId"].as_str().unwrap());
    let id = PersonId::parse(id).unwrap();
    app.store.write(move |tx| erase::erase(tx, &ctx, &id)).await.unwrap();
    for under in ["", "/link", "/versions"] {
        client.get(&format!("{path}{under}")).await.expect(404);
    }
    assert_eq!(client.get("/v0/audiences/search?query=jane").await.expect(200).json()["totalCount"], 0);
    app.run_due_work().await;
    let shown = client.get(&page).await.expect(200).json();
    assert_eq!((&shown["audiencesCount"], &shown["status"]), (&json!(1), &json!("published")));
    let listed = client.get(&format!("{page}/audiences")).await.expect(200).json();
    assert_eq!((&listed["totalCount"], listed["items"].as_array().unwrap().len()), (&json!(1), 1));
    // The address never leads to someone else.
    let other = audience(&client, &page, &json!({ "customName": "Jane Doe" })).await;
    assert_ne!(client.get(&format!("{other}/link")).await.expect(200).json()["path"], link["path"]);
}
