# 検索
search = 検索
search-label = 会員、注文、商品、アクティビティ
search-none = 「{ $name }」に一致するものはありません。
search-all = すべて表示
search-members = 会員
search-activities = アクティビティ
search-orders = 注文
search-products = 商品
search-hint-members = 会員: IDまたはその一部。
search-hint-activities = アクティビティ: 会員のID、空白、ソースID。台帳は会員ごとに管理されるため、ソースIDだけでは検索できません。
search-hint-orders = 注文: 注文番号またはIDの全体。
search-hint-products = 商品: タイトル、SKU、IDの一部。
search-nothing-allowed = この役割で検索できるものはありません。
