// What an app does on a usual day, by the generated client, against the demo.
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import pointbook.client.apis.HistoryApi
import pointbook.client.apis.StoreApi
import pointbook.client.infrastructure.ApiClient
import pointbook.client.infrastructure.ClientError
import pointbook.client.infrastructure.ClientException
import pointbook.client.models.NewOrder

val baseUrl: String = System.getenv("BASE_URL")

fun example() {
    // The example of docs/clients.md.
    ApiClient.accessToken = "demo-aiko"
    val store = StoreApi(baseUrl)
    val page = store.listProducts(filterOnSale = true, sort = StoreApi.SortListProducts.price, pageSize = 5)
    for (product in page.`data`) {
        println("${product.title} ${product.salePrice ?: product.regularPrice}")
    }
    val order = store.placeOrder(NewOrder(productId = "cafe-mug"), idempotencyKey = "basket-1").`data`
    println("${order.number} ${order.status}")
    // The end of the example.
    check(page.`data`.isNotEmpty() && page.`data`.all { it.salePrice != null })
    check(order.status.value == "placed")
}

fun refused(status: Int, call: () -> Unit): JsonObject {
    try {
        call()
    } catch (error: ClientException) {
        check(error.statusCode == status) { "${error.statusCode}, expected $status" }
        return Json.parseToJsonElement((error.response as ClientError<*>).body as String).jsonObject
    }
    error("this was not refused with $status")
}

fun reads(store: StoreApi) {
    val ids = mutableSetOf<String>()
    var number = 0
    do {
        number += 1
        val page = store.listProducts(pageNumber = number)
        ids += page.`data`.map { it.id }
        if (page.links.next == null) check(ids.size.toLong() == page.meta.total)
    } while (page.links.next != null)

    val mug = store.getProduct("cafe-mug").`data`
    check(mug.id == "cafe-mug" && mug.gallery.size == 3)
    val missing = refused(404) { store.getProduct("no/such product") }
    check(missing["message"]?.jsonPrimitive?.content == "Product not found") { missing }
    check(store.listCategories().`data`.any { it.children.isNotEmpty() })
}

fun history() {
    val history = HistoryApi(baseUrl).getPointHistory()
    val transactions = history.`data`.values.flatten().flatMap { it.`data` }
    check(transactions.any { it.type == "order" && it.points < 0 && it.bonusBreakdown == null })
    check(transactions.all { Regex("\\.\\d{6}Z$").containsMatchIn(it.createdAt) })
    val withBonus = transactions.filter { it.bonusPoints > 0 }
    check(withBonus.isNotEmpty())
    check(withBonus.all { one -> one.bonusBreakdown.orEmpty().sumOf { it.points } == one.bonusPoints })
}

fun main() {
    example()
    val store = StoreApi(baseUrl)
    reads(store)
    history()
    ApiClient.accessToken = "demo-mia"
    val invalid = refused(422) { store.placeOrder(NewOrder(productId = "city-e-bike")) }
    check(invalid["errors"]?.jsonObject?.keys == setOf("product_id")) { invalid }
    ApiClient.accessToken = "no-such-token"
    val stranger = refused(401) { store.listProducts() }
    check(stranger["message"]?.jsonPrimitive?.content == "Unauthenticated.") { stranger }
}
