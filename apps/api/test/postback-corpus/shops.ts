import type { Corpus } from './corpus.ts'

/** What shops and their programs send. `$C` stands for the click id. */
export const shops: Corpus[] = [
  {
    tracker: 'tapfiliate',
    lines: `
      sale ORD-1          | {"click_id":"$C","external_id":"ORD-1","amount":19.99}
      sale ORD-2          | {"click_id":"$C","external_id":"ORD-2","amount":19.99,"commission_type":"standard"}
      sale ORD-3          | {"click_id":"$C","external_id":"ORD-3","customer_id":"C-9","currency":"EUR"}
      sale ORD-4          | {"click_id":"$C","external_id":"ORD-4","meta_data":{"plan":"pro","note":"no refund"}}
      sale ORD-5          | {"click_id":"$C","external_id":"ORD-5","coupon":"TEN","amount":"5.00"}
      sale ORD-6          | {"click_id":"$C","external_id":"ORD-6","amount":0}
      sale ORD-7          | {"click_id":"$C","external_id":"ORD-7","commissions":[{"sub_amount":3,"commission_type":"a"}]}
      pending sale ORD-8  | {"click_id":"$C","external_id":"ORD-8","status":"pending"}
      rejected sale ORD-9 | {"click_id":"$C","external_id":"ORD-9","status":"disapproved"}
      sale ORD-10         | {"click_id":"$C","external_id":"ORD-10","status":"approved","amount":7}
      sale ORD-11         | {"click_id":"$C","external_id":"ORD-11","user_agent":"Mozilla/5.0","ip":"203.0.113.7"}
      sale -              | {"click_id":"$C","amount":3}
      sale -              | {"click_id":"$C","external_id":"","amount":3}
      refused transaction_id | {"click_id":"$C","external_id":{"id":1}}
      refused transaction_id | {"click_id":"$C","external_id":"undefined"}
      held                | {"click_id":"$C","external_id":"ORD-16","amount":-19.99}
      held                | {"click_id":"$C","external_id":"ORD-17","commissions":[{"sub_amount":-3}]}
      held                | {"click_id":"$C","external_id":"ORD-18","meta_data":{"order_status":"refunded"}}
    `,
  },
  {
    tracker: 'post-affiliate-pro',
    events: { sale: 'sale', lead: 'bonus', signup: 'bonus' },
    lines: `
      sale PAP1         | AccountId=default1&visitorId=$C&TotalCost=120.50&OrderID=PAP1&ProductID=test+product
      sale PAP2         | visitorId=$C&OrderID=PAP2&TotalCost=50&Status=A
      pending sale PAP3 | visitorId=$C&OrderID=PAP3&TotalCost=50&Status=P
      rejected sale PAP4 | visitorId=$C&OrderID=PAP4&TotalCost=50&Status=D
      bonus PAP5        | visitorId=$C&OrderID=PAP5&ActionCode=lead
      pending bonus PAP6 | visitorId=$C&OrderID=PAP6&ActionCode=lead&Status=P
      rejected bonus PAP7 | visitorId=$C&OrderID=PAP7&ActionCode=signup&Status=D
      bonus PAP8        | visitorId=$C&o=PAP8&ac=signup&t=10&cr=EUR
      sale PAP9         | visitorId=$C&o=PAP9&ac=sale&s=A&t=99&p=sku-1&d1=x&d5=y
      pending sale PAP10 | visitorId=$C&o=PAP10&s=P
      sale PAP11        | visitorId=$C&OrderID=PAP11&data1=a&data5=b&AffiliateID=testaff&CampaignID=11
      sale PAP12        | visitorId=$C&OrderID=PAP12&FixedCost=5&Currency=EUR&Coupon=TEN&BannerID=2
      sale PAP13        | visitorId=$C&OrderID=PAP13&Status=approved
      sale -            | visitorId=$C&TotalCost=10
      refused event     | visitorId=$C&OrderID=PAP15&ActionCode=other
      refused status    | visitorId=$C&OrderID=PAP16&Status=X
      refused transaction_id | visitorId=$C&OrderID={$order_id}&TotalCost=10
      held              | visitorId=$C&OrderID=PAP18&TotalCost=-120.50
    `,
  },
  {
    tracker: 'awin',
    lines: `
      sale AW1         | tt=ss&tv=2&merchant=1001&amount=19.99&ch=aw&cr=GBP&ref=AW1&parts=DEFAULT:19.99&vc=&cks=$C
      sale AW2         | tt=ss&tv=2&merchant=1001&amount=19.99&ref=AW2&awc=$C
      sale AW3         | tt=ss&tv=2&merchant=1001&amount=5.00&cr=EUR&ref=AW3&parts=NEW:5.00&testmode=0&cks=$C
      sale AW4         | tt=ss&merchant=1001&amount=0.00&ref=AW4&vc=VOUCHER10&cks=$C
      sale AW5         | tt=ss&merchant=1001&amount=9.50&ref=AW5&customeracquisition=NEW&cks=$C
      sale AW6         | tt=ss&merchant=1001&amount=9.50&ref=AW6&p1=a&p2=b&cks=$C
      pending sale AW7 | merchant=1001&amount=9.50&ref=AW7&commission_status=pending&cks=$C
      sale AW8         | merchant=1001&amount=9.50&ref=AW8&commission_status=approved&cks=$C
      rejected sale AW9 | merchant=1001&amount=9.50&ref=AW9&commission_status=declined&cks=$C
      sale -           | tt=ss&merchant=1001&amount=9.50&cks=$C
      sale AW11        | {"orderReference":"x","ref":"AW11","amount":12,"cks":"$C","channel":"aw","voucher":""}
      refused transaction_id | tt=ss&merchant=1001&amount=9.50&ref={{order_ref}}&cks=$C
      refused status   | merchant=1001&amount=9.50&ref=AW13&commission_status=amended&cks=$C
      held             | merchant=1001&amount=-9.50&ref=AW14&cks=$C
      held             | merchant=1001&amount=9.50&ref=AW15&decline_reason=returned&cks=$C
      refused click_id | tt=ss&merchant=1001&amount=9.50&ref=AW16&cks=
      refused click_id | tt=ss&merchant=1001&amount=9.50&ref=AW17
    `,
  },
  {
    tracker: 'dub',
    events: {
      'invoice paid': 'sale',
      purchase: 'sale',
      'sign up': 'bonus',
      'invoice refunded': 'void',
    },
    lines: `
      sale in_1        | {"clickId":"$C","customerExternalId":"c1","amount":1999,"currency":"usd","eventName":"Invoice paid","paymentProcessor":"stripe","invoiceId":"in_1"}
      sale in_2        | {"clickId":"$C","customerExternalId":"c1","amount":1999,"eventName":"Purchase","invoiceId":"in_2"}
      bonus in_3       | {"clickId":"$C","customerExternalId":"c1","eventName":"Sign up","invoiceId":"in_3","customerEmail":"jane+shop@example.com"}
      void in_4        | {"clickId":"$C","eventName":"Invoice refunded","amount":-1999,"invoiceId":"in_4"}
      sale in_5        | {"clickId":"$C","amount":100,"invoiceId":"in_5","metadata":{"plan":"pro","seats":5}}
      sale in_6        | {"clickId":"$C","amount":100,"eventName":"sale","invoiceId":"in_6","customerName":null}
      sale in_7        | {"clickId":"$C","amount":100,"eventName":"PURCHASE","invoiceId":"in_7","customerAvatar":null}
      sale -           | {"clickId":"$C","amount":100,"eventName":"Purchase","invoiceId":null}
      bonus in_9       | {"clickId":"$C","eventName":"sign up","invoiceId":"in_9","mode":"deferred"}
      pending sale in_10 | {"clickId":"$C","amount":100,"eventName":"Purchase","invoiceId":"in_10","status":"pending"}
      rejected sale in_11 | {"clickId":"$C","amount":100,"eventName":"Purchase","invoiceId":"in_11","status":"canceled"}
      chargeback in_12 | {"clickId":"$C","eventName":"chargeback","invoiceId":"in_12"}
      refused event    | {"clickId":"$C","amount":100,"eventName":"Trial started","invoiceId":"in_13"}
      refused event    | {"clickId":"$C","amount":100,"eventName":"{{event}}","invoiceId":"in_14"}
      refused transaction_id | {"clickId":"$C","amount":100,"invoiceId":"[object Object]"}
      refused click_id | {"customerExternalId":"c1","amount":100,"invoiceId":"in_16"}
      held             | {"clickId":"$C","amount":-1999,"eventName":"Purchase","invoiceId":"in_17"}
      held             | {"clickId":"$C","amount":1999,"invoiceId":"in_18","metadata":{"type":"charge.refunded"}}
    `,
  },
  {
    tracker: 'shopify',
    lines: `
      sale 1001         | {"click_id":"$C","order_number":1001,"financial_status":"paid","total_price":"19.99","currency":"USD"}
      pending sale 1002 | {"click_id":"$C","order_number":1002,"financial_status":"pending"}
      pending sale 1003 | {"click_id":"$C","order_number":1003,"financial_status":"authorized","gateway":"card"}
      void 1004         | {"click_id":"$C","order_number":1004,"financial_status":"refunded"}
      void 1005         | {"click_id":"$C","order_number":1005,"financial_status":"voided","total_price":"19.99"}
      pending sale 1006 | {"click_id":"$C","order_number":1006,"financial_status":"partially_paid"}
      sale 1007         | {"click_id":"$C","order_number":1007,"financial_status":"paid","fulfillment_status":null,"cancel_reason":null}
      sale 1008         | {"click_id":"$C","order_number":1008,"financial_status":"paid","customer":{"email":"a@example.com","state":"enabled"},"tags":""}
      sale 1009         | {"click_id":"$C","order_number":1009,"financial_status":"paid","line_items":[{"sku":"a","price":"5.00","quantity":2}]}
      sale 5512345678901234567 | {"click_id":"$C","id":5512345678901234567,"financial_status":"paid"}
      sale 1011         | {"click_id":"$C","order_number":1011,"financial_status":"paid","processed_at":"2026-03-09T10:00:00-05:00"}
      sale 1012         | {"click_id":"$C","order_number":1012,"total_price":"3.00","note":"Leave it\\nat the door"}
      refused status    | {"click_id":"$C","order_number":1013,"financial_status":"partially_refunded"}
      refused status    | {"click_id":"$C","order_number":1014,"financial_status":"expired2"}
      held              | {"click_id":"$C","order_number":1015,"financial_status":"paid","cancel_reason":"fraud"}
      held              | {"click_id":"$C","order_number":1016,"financial_status":"paid","total_price":"-19.99"}
      held              | {"click_id":"$C","order_number":1017,"financial_status":"paid","refunds":[{"kind":"refund","amount":"5.00"}]}
      refused transaction_id | {"click_id":"$C","order_number":{"value":1},"financial_status":"paid"}
      sale 1021         | {"order_number":1021,"financial_status":"paid","note_attributes":[{"name":"click_id","value":"$C"}]}
      void 9001         | {"id":77,"order_id":9001,"refund_line_items":[{"quantity":1}],"transactions":[{"kind":"refund","status":"success","amount":"5.00"}]}
      held              | {"id":78,"order_id":9001,"refund_line_items":[{"quantity":1}],"transactions":[]}
      sale 1019 if known | {"order_number":1019,"financial_status":"paid"}
      held              | {"click_id":"$C","order_number":1020,"topic":"orders/cancelled"}
    `,
  },
  {
    tracker: 'woocommerce',
    lines: `
      sale 727          | {"click_id":"$C","number":"727","status":"processing","total":"29.35","currency":"USD"}
      sale 728          | {"click_id":"$C","number":"728","status":"completed","total":"29.35"}
      pending sale 729  | {"click_id":"$C","number":"729","status":"on-hold"}
      pending sale 730  | {"click_id":"$C","number":"730","status":"pending","payment_method":"bacs"}
      rejected sale 731 | {"click_id":"$C","number":"731","status":"cancelled"}
      rejected sale 732 | {"click_id":"$C","number":"732","status":"failed"}
      rejected sale 733 | {"click_id":"$C","number":"733","status":"trash"}
      void 734          | {"click_id":"$C","number":"734","status":"refunded"}
      sale 735          | {"click_id":"$C","id":735,"status":"processing","billing":{"email":"john.doe@example.com","state":"CA"}}
      sale 736          | {"click_id":"$C","number":"736","status":"processing","line_items":[{"name":"Woo Single","quantity":2,"total":"6.00"}]}
      sale 737          | click_id=$C&order_id=737&status=completed&total=12,50
      sale 738          | {"click_id":"$C","number":"738","status":"completed","refunds":[],"meta_data":[{"key":"_x","value":"1"}]}
      sale 739          | {"click_id":"$C","number":"739","status":"Processing","discount_total":"0.00","customer_note":""}
      refused status    | {"click_id":"$C","number":"740","status":"checkout-draft"}
      refused status    | {"click_id":"$C","number":"741","status":"wc-shipped"}
      refused status    | {"click_id":"$C","number":"742","status":"auto-draft"}
      held              | {"click_id":"$C","number":"743","status":"completed","total":"-29.35"}
      held              | {"click_id":"$C","number":"744","status":"completed","refunds":[{"reason":"refund","total":"-10.00"}]}
      refused transaction_id | {"click_id":"$C","number":"{order_number}","status":"completed"}
      sale 747          | {"number":"747","parent_id":0,"status":"completed","meta_data":[{"key":"click_id","value":"$C"}]}
      void 727          | {"id":726,"parent_id":727,"amount":"10.00","reason":"","refunded_by":1}
      sale 746 if known | {"number":"746","status":"completed"}
    `,
  },
  {
    tracker: 'impact',
    events: { 8821: 'sale', 8822: 'bonus' },
    lines: `
      sale IR-1          | CampaignId=1&ActionTrackerId=8821&ClickId=$C&OrderId=IR-1&Amount=50
      bonus IR-2         | CampaignId=1&ActionTrackerId=8822&ClickId=$C&OrderId=IR-2&CustomerStatus=New
      sale IR-3          | CampaignId=1&ActionTrackerId=8821&ClickId=$C&OrderId=IR-3&CurrencyCode=USD&OrderPromoCode=X
      sale IR-4          | CampaignId=1&ClickId=$C&OrderId=IR-4&CustomerId=c&CustomerEmail=a%40example.com
      pending sale IR-5  | CampaignId=1&ActionTrackerId=8821&ClickId=$C&OrderId=IR-5&ActionStatus=PENDING
      void IR-6          | CampaignId=1&ActionTrackerId=8821&ClickId=$C&OrderId=IR-6&ActionStatus=REVERSED
      sale IR-7          | CampaignId=1&ActionTrackerId=8821&ClickId=$C&OrderId=IR-7&ActionStatus=APPROVED
      sale IR-8          | CampaignId=1&EventTypeId=8821&ClickId=$C&OrderId=IR-8&EventDate=2026-03-09T10:00:00-05:00
      sale IR-9          | CampaignId=1&EventTypeId=8821&ClickId=$C&OrderId=IR-9&ItemSku1=a&ItemQuantity1=2&ItemPrice1=25
      rejected sale IR-10 | CampaignId=1&ActionTrackerId=8821&ClickId=$C&OrderId=IR-10&OrderStatus=Cancelled
      refused event      | CampaignId=1&ActionTrackerId=9999&ClickId=$C&OrderId=IR-11
      sale IR-12        | CampaignId=1&EventTypeId=8821&ClickId=$C&OrderId=IR-12&EventDate=NOW
      refused status     | CampaignId=1&ActionTrackerId=8821&ClickId=$C&OrderId=IR-13&OrderStatus=Locked
      held               | CampaignId=1&ActionTrackerId=8821&ClickId=$C&OrderId=IR-14&Amount=-50
      held               | CampaignId=1&ActionTrackerId=8821&ClickId=$C&OrderId=IR-15&Reason=RETURNED
      refused transaction_id | CampaignId=1&ActionTrackerId=8821&ClickId=$C&OrderId={OrderId}
    `,
  },
  {
    tracker: 'taboola',
    events: {
      purchase: 'sale',
      make_purchase: 'sale',
      lead: 'bonus',
      complete_registration: 'bonus',
    },
    lines: `
      sale TB1       | click-id=$C&name=purchase&revenue=10&currency=USD&orderid=TB1
      sale TB2       | click-id=$C&name=make_purchase&revenue=9.99&orderid=TB2&quantity=2
      bonus TB3      | click-id=$C&name=lead&orderid=TB3
      bonus TB4      | click-id=$C&name=complete_registration&orderid=TB4
      sale -         | click-id=$C&name=purchase
      sale TB6       | click-id=$C&name=PURCHASE&orderid=TB6&timestamp=1772971200
      pending sale TB7 | click-id=$C&name=purchase&orderid=TB7&status=pending
      void TB8       | click-id=$C&name=void&orderid=TB8
      refused event  | click-id=$C&name=app_install&orderid=TB9
      refused event  | click-id=$C&name=EVENT_NAME&revenue=REVENUE&currency=CURRENCY&orderid=ORDER_ID
      held           | click-id=$C&name=purchase&revenue=-10&orderid=TB11
      held           | click-id=$C&name=purchase&quantity=-1&orderid=TB12
      refused click_id | name=purchase&orderid=TB13
      refused transaction_id | click-id=$C&name=purchase&orderid=%5BORDER%5D
    `,
  },
  {
    tracker: '',
    events: { ftd: 'sale', upsell: 'bonus' },
    lines: `
      sale A-1           | click_id=$C&transaction_id=A-1
      sale A-2           | click_id=$C&orderId=A-2&amount=5
      sale A-3           | {"clickId":"$C","transactionId":"A-3","eventTime":1773144000}
      sale A-4           | {"click_id":"$C","order_no":"A-4","event_time":"2026-03-10T19:00:00+08"}
      bonus A-5          | cid=$C&order_number=A-5&event=bonus
      bonus A-6          | cid=$C&sale_id=A-6&goal=upsell
      void A-7           | transaction_id=A-7&event=void
      fraud A-8          | cid=$C&payment_id=A-8&status=fraud
      void A-9           | cid=$C&transaction_id=A-9&amp;event=void
      sale A-10          | ?cid=$C&amp;tid=A-10
      rejected sale A-11 | order=A-11&status=rejected
      pending sale A-12  | cid=$C&tid=A-12&payment_status=processing
      sale M\u00fcller     | cid=$C&tid=M%FCller
      refused transaction_id | cid=$C&tid=$order_id
      refused transaction_id | cid=$C&tid=:order
      refused time       | cid=$C&tid=A-16&time=2026-03-10T10:00:00
      refused type       | cid=$C&tid=A-17&type=%3Ctype%3E
      held               | cid=$C&tid=A-18&conversion_type=Refund
    `,
  },
]
