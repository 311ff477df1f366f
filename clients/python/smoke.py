"""What an app does on a usual day, by the generated client, against the demo."""

import json
import os

import pointbook_client
from pointbook_client.exceptions import NotFoundException, UnauthorizedException, UnprocessableEntityException

BASE_URL = os.environ["BASE_URL"]


def example():
    # The example of docs/clients.md.
    configuration = pointbook_client.Configuration(host=BASE_URL, access_token="demo-aiko")
    with pointbook_client.ApiClient(configuration) as client:
        store = pointbook_client.StoreApi(client)
        page = store.list_products(filter_on_sale=True, sort="price", page_size=5)
        for product in page.data:
            print(product.title, product.sale_price if product.sale_price is not None else product.regular_price)
        basket = pointbook_client.NewOrder(product_id="cafe-mug")
        order = store.place_order(basket, idempotency_key="basket-1").data
        print(order.number, order.status)
    # The end of the example.
    return page, order


def client(token):
    return pointbook_client.ApiClient(pointbook_client.Configuration(host=BASE_URL, access_token=token))


def refused(kind, call, *arguments):
    try:
        call(*arguments)
    except kind as error:
        return json.loads(error.body)
    raise AssertionError(f"{call} was not refused")


def main():
    page, order = example()
    assert page.data and all(product.sale_price is not None for product in page.data)
    assert order.status == "placed"

    store = pointbook_client.StoreApi(client("demo-aiko"))
    ids, number = set(), 1
    while True:
        page = store.list_products(page_number=number)
        ids.update(product.id for product in page.data)
        number += 1
        if page.links.next is None:
            break
    assert len(ids) == page.meta.total

    mug = store.get_product("cafe-mug")
    assert mug.success and mug.data.id == "cafe-mug" and len(mug.data.gallery) == 3
    missing = refused(NotFoundException, store.get_product, "no/such product")
    assert missing == {"success": False, "message": "Product not found"}
    assert any(category.children for category in store.list_categories().data)

    history = pointbook_client.HistoryApi(client("demo-aiko")).get_point_history()
    groups = [group for day in history.data.values() for group in day]
    transactions = [transaction for group in groups for transaction in group.data]
    assert any(one.type == "order" and one.points < 0 and one.bonus_breakdown is None for one in transactions)
    assert all(one.created_at.utcoffset().total_seconds() == 0 for one in transactions)
    with_bonus = [one for one in transactions if one.bonus_points > 0]
    assert with_bonus
    assert all(sum(bonus.points for bonus in one.bonus_breakdown) == one.bonus_points for one in with_bonus)

    poor = pointbook_client.StoreApi(client("demo-mia"))
    bike = pointbook_client.NewOrder(product_id="city-e-bike")
    assert list(refused(UnprocessableEntityException, poor.place_order, bike)["errors"]) == ["product_id"]
    stranger = pointbook_client.StoreApi(client("no-such-token"))
    assert refused(UnauthorizedException, stranger.list_products) == {"message": "Unauthenticated."}


main()
