import type { Corpus } from './corpus.ts'

/** What networks' and trackers' documents tell merchants to send. `$C` stands for the click id. */
export const networks: Corpus[] = [
  {
    tracker: 'affise',
    events: { 2: 'bonus', ftd: 'sale', reg: 'bonus', deposit: 'bonus' },
    lines: `
      sale 88412        | clickid=$C&action_id=88412
      sale 88413        | clickid=$C&action_id=88413&sum=14.50
      sale 88414        | clickid=$C&action_id=88414&sum=14.50&status=1
      sale 88415        | clickid=$C&action_id=88415&goal=ftd&sum=120&status=1&comment=vip
      bonus 88416       | clickid=$C&action_id=88416&goal=2&status=1
      bonus 88417       | clickid=$C&action_id=88417&goal=reg
      bonus 88418       | clickid=$C&action_id=88418&goal=deposit&sum=25&currency=EUR&ip=203.0.113.9
      pending sale 88419 | clickid=$C&action_id=88419&status=2
      pending sale 88420 | clickid=$C&action_id=88420&goal=ftd&status=2&sum=30
      pending bonus 88421 | clickid=$C&action_id=88421&goal=2&status=2
      pending bonus 88422 | clickid=$C&action_id=88422&goal=reg&status=5
      pending sale 88423 | clickid=$C&action_id=88423&status=5&custom_field1=a
      rejected sale 88424 | clickid=$C&action_id=88424&goal=ftd&status=3
      rejected bonus 88425 | clickid=$C&action_id=88425&goal=2&status=3&comment=duplicate
      rejected sale 88426 | clickid=$C&action_id=88426&status=3
      sale 88427        | click_id=$C&action_id=88427&goal=ftd&secure=9f2c&referrer=https%3A%2F%2Fshop.example
      sale 88428        | clickid=$C&action_id=88428&sum=9,90&device_type=tablet&promo_code=SPRING
      sale -            | clickid=$C&sum=12&status=1
      refused event     | clickid=$C&action_id=88430&goal=unheard-of&status=1
      refused status    | clickid=$C&action_id=88431&goal=ftd&status=7
      held              | clickid=$C&action_id=88432&goal=ftd&sum=-14.50
    `,
  },
  {
    tracker: 'scaleo',
    events: { 1673: 'bonus', deposit: 'bonus', sale: 'sale' },
    lines: `
      sale SC-1          | click_id=$C&adv_order_id=SC-1&amount=40
      bonus SC-2         | click_id=$C&goal_id=1673&adv_order_id=SC-2&amount=5
      bonus SC-3         | click_id=$C&goal_alias=deposit&adv_order_id=SC-3&conv_status=approved
      pending bonus SC-4 | click_id=$C&goal_id=1673&adv_order_id=SC-4&conv_status=pending
      pending sale SC-5  | click_id=$C&goal_alias=sale&adv_order_id=SC-5&conv_status=2
      rejected sale SC-6 | click_id=$C&goal_alias=sale&adv_order_id=SC-6&conv_status=3
      rejected bonus SC-7 | click_id=$C&goal_alias=deposit&adv_order_id=SC-7&conv_status=rejected
      rejected sale SC-8 | click_id=$C&adv_order_id=SC-8&conv_status=trash
      rejected sale SC-9 | click_id=$C&adv_order_id=SC-9&conv_status=5
      sale SC-10         | click_id=$C&adv_order_id=SC-10&conv_status=1&amount=12.00&currency=USD
      sale SC-11         | click_id=$C&goal_alias=sale&conv_status=Approved&adv_order_id=SC-11
      sale SC-12         | click_id=$C&adv_order_id=SC-12&sub_id1=S&sub_id2=T&adv_param1=x
      sale SC-13         | click_id=$C&adv_order_id=SC-13&adv_user_id=994&idfa=0&gaid=0
      bonus SC-14        | click_id=$C&goal_id=1673&goal_alias=deposit&adv_order_id=SC-14
      refused status     | click_id=$C&adv_order_id=SC-15&conv_status=9
      refused status     | click_id=$C&adv_order_id=SC-16&conv_status=maybe&goal_alias=sale
      refused event      | click_id=$C&adv_order_id=SC-17&goal_alias=other
      held               | click_id=$C&adv_order_id=SC-18&amount=-12.00
    `,
  },
  {
    tracker: 'keitaro',
    lines: `
      sale 501            | subid=$C&tid=501
      sale 502            | subid=$C&status=sale&payout=30&tid=502
      pending sale 503    | subid=$C&status=lead&payout=30&tid=503
      rejected sale 504   | subid=$C&status=rejected&payout=30&tid=504
      rejected sale 505   | subid=$C&status=trash&tid=505
      pending sale 506    | subid=$C&status=hold&tid=506&currency=usd
      pending sale 507    | subid=$C&status=registration&tid=507
      sale 508            | subid=$C&status=sale&payout=12.5&currency=eur&tid=508&sub_id_1=a&sub_id_15=b
      sale 509            | subid=$C&status=sale&tid=509&sale_status=billed,sale&lead_status=reg,topup
      sale 510            | subid=$C&status=sale&tid=510&rejected_status=canceled,fake&return=OK
      pending sale 511    | subid=$C&status=lead&tid=511&ignore_status=ping,test
      sale 512            | subid=$C&status=SALE&tid=512&revenue=15
      pending sale 513    | subid=$C&status=Lead&tid=513&cost=1.2
      sale -              | subid=$C&status=sale&payout=30
      pending sale -      | subid=$C&status=lead
      refused status      | subid=$C&status=topup&tid=516
      refused status      | subid=$C&status=unknown&tid=517
      sale 518 if known   | status=sale&tid=518
      refused transaction_id | subid=$C&status=sale&tid={tid}
      held                | subid=$C&status=sale&payout=-30&tid=520
    `,
  },
  {
    tracker: 'voluum',
    events: { deposit: 'bonus', upsell: 'bonus', purchase: 'sale', reject: 'void' },
    lines: `
      sale -          | cid=$C
      sale -          | cid=$C&payout=10
      sale V100       | cid=$C&payout=10&txid=V100
      bonus V101      | cid=$C&payout=10.25&txid=V101&et=deposit
      bonus V102      | cid=$C&txid=V102&et=upsell&currency=USD
      sale V103       | cid=$C&txid=V103&et=purchase&payout=OPTIONAL
      sale V104       | cid=$C&txid=V104&et=Purchase&param1=a&param2=b
      void V105       | cid=$C&txid=V105&et=reject
      sale V106       | cid=$C&txid=V106&et=sale&test=0
      void V107       | cid=$C&txid=V107&et=void
      chargeback V108 | cid=$C&txid=V108&et=chargeback
      refused event   | cid=$C&txid=V109&et=registration
      refused transaction_id | cid=$C&payout=REPLACE&txid={txid}
      refused event   | cid=$C&txid=V110&et={et}
      held            | cid=$C&txid=V111&payout=-10
      held            | cid=$C&txid=V112&event_type=refund
      sale V113       | cid=$C&txid=V113&status=approved
      pending sale V114 | cid=$C&txid=V114&status=pending
    `,
  },
  {
    tracker: 'redtrack',
    events: {
      purchase: 'sale',
      lead: 'bonus',
      conversion: 'sale',
      addtocart: 'click',
      refund: 'void',
    },
    lines: `
      sale -           | clickid=$C
      sale -           | clickid=$C&sum=45.00
      sale RT-1        | clickid=$C&sum=45.00&type=Purchase&rdtk_event_id=RT-1
      bonus RT-2       | clickid=$C&type=Lead&rdtk_event_id=RT-2
      click RT-3       | clickid=$C&type=AddToCart&rdtk_event_id=RT-3
      sale RT-4        | clickid=$C&type=Conversion&rdtk_event_id=RT-4&sub1=a&sub20=t
      void RT-5        | clickid=$C&type=Refund&rdtk_event_id=RT-5
      sale RT-6        | clickid=$C&sum=45.00&type=Purchase&event_id=RT-6&currency=USD
      pending sale RT-7 | clickid=$C&type=Purchase&status=pending&rdtk_event_id=RT-7
      rejected sale RT-8 | clickid=$C&type=Purchase&status=declined&rdtk_event_id=RT-8
      rejected bonus RT-9 | clickid=$C&type=Lead&status=rejected&rdtk_event_id=RT-9
      sale RT-10       | clickid=$C&type=Purchase&status=approved&rdtk_event_id=RT-10
      sale RT-11       | clickid=$C&sum=45&type=Purchase&transaction_id=RT-11
      refused event    | clickid=$C&type=InitiateCheckout&rdtk_event_id=RT-12
      refused event    | clickid=$C&type={type}&rdtk_event_id=RT-13
      refused status   | clickid=$C&type=Purchase&status=oth&rdtk_event_id=RT-14
      held             | clickid=$C&type=Purchase&sum=-45.00&rdtk_event_id=RT-15
      refused event    | clickid=$C&type=ViewContent&sum=0
    `,
  },
  {
    tracker: 'binom',
    statuses: {
      approve: 'counts',
      lead: 'pending',
      signup: 'pending',
      reject: 'rejected',
      checkout: 'pending',
      hold: 'pending',
    },
    lines: `
      sale -            | cnv_id=$C
      sale -            | cnv_id=$C&payout=7.5
      sale B-1          | cnv_id=$C&payout=7.5&txid=B-1
      sale B-2          | cnv_id=$C&payout=7.5&cnv_status=approve&txid=B-2
      pending sale B-3  | cnv_id=$C&payout=7.5&cnv_status=signup&txid=B-3
      pending sale B-4  | cnv_id=$C&cnv_status=checkout&txid=B-4
      rejected sale B-5 | cnv_id=$C&cnv_status=reject&txid=B-5
      pending sale B-6  | cnv_id=$C&cnv_status=Hold&payout=5&txid=B-6
      sale B-7          | cnv_id=$C&cnv_status=approved&cnv_currency=EUR&payout=3&txid=B-7
      sale B-8          | cnv_id=$C&cnv_status=approve&cnv_status2=approved&txid=B-8
      sale B-9          | clickid=$C&payout=4&txid=B-9
      sale B-10         | cnv_id=$C&txid=B-10&disable_postback=1&to_offer=2
      sale B-11         | cnv_id=$C&txid=B-11&add_event1=1&event2=15
      rejected sale B-12 | cnv_id=$C&cnv_status=trash&txid=B-12
      rejected sale B-13 | cnv_id=$C&cnv_status=cancel&txid=B-13
      refused status    | cnv_id=$C&cnv_status=unsure&txid=B-14
      refused status    | cnv_id=$C&cnv_status={status}&txid=B-15
      refused status    | cnv_id=$C&cnv_status=approve&cnv_status2=reject&txid=B-16
      held              | cnv_id=$C&payout=-7.5&txid=B-17
      refused click_id  | payout=7.5&txid=B-18
    `,
  },
  {
    tracker: 'trackier',
    events: { install: 'bonus', ftd: 'sale', 64: 'bonus' },
    lines: `
      sale TX1           | click_id=$C&txn_id=TX1
      sale TX2           | click_id=$C&txn_id=TX2&sale_amount=99&currency=INR
      bonus TX3          | click_id=$C&txn_id=TX3&goal_value=install
      sale TX4           | click_id=$C&txn_id=TX4&goal_value=ftd&status=approved
      pending sale TX5   | click_id=$C&txn_id=TX5&goal_value=ftd&status=pending
      rejected sale TX6  | click_id=$C&txn_id=TX6&goal_value=ftd&status=rejected
      rejected bonus TX7 | click_id=$C&txn_id=TX7&goal_value=install&status=cancelled
      bonus TX8          | click_id=$C&txn_id=TX8&goal_id=64
      sale TX9           | click_id=$C&txn_id=TX9&status=Approved&revenue=3&sub1=a&sub15=b
      pending sale TX10  | click_id=$C&txn_id=TX10&status=Pending
      rejected sale TX11 | click_id=$C&txn_id=TX11&status=Cancelled
      sale TX12          | click_id=$C&txn_id=TX12&coupon=SAVE&product_sku=9-X
      sale -             | click_id=$C&revenue=2
      refused event      | click_id=$C&txn_id=TX14&goal_value=other
      refused status     | click_id=$C&txn_id=TX15&status=extended
      refused transaction_id | click_id=$C&txn_id={order_id}
      held               | click_id=$C&txn_id=TX17&sale_amount=-99
      held               | click_id=$C&txn_id=TX18&revenue=-2
    `,
  },
  {
    tracker: 'tune',
    events: { 3: 'bonus', registration: 'bonus', 7: 'sale' },
    lines: `
      sale -          | offer_id=26&transaction_id=$C
      sale H-1        | offer_id=26&transaction_id=$C&adv_sub=H-1
      sale H-2        | offer_id=26&transaction_id=$C&adv_sub=H-2&amount=19.99
      bonus H-3       | offer_id=26&goal_id=3&transaction_id=$C&adv_sub=H-3
      sale H-4        | goal_id=7&transaction_id=$C&adv_sub=H-4&amount=5&security_token=abc123
      bonus H-5       | goal_name=registration&transaction_id=$C&adv_sub=H-5
      bonus H-6       | goal_id=3&goal_name=registration&transaction_id=$C&adv_sub=H-6
      sale H-7        | offer_id=26&transaction_id=$C&order_id=H-7&adv_sub2=x&adv_sub5=y
      pending sale H-8 | offer_id=26&transaction_id=$C&adv_sub=H-8&status=pending
      rejected sale H-9 | offer_id=26&transaction_id=$C&adv_sub=H-9&status=rejected
      sale H-10       | offer_id=26&transaction_id=$C&adv_sub=H-10&status=approved&promo_code=X
      sale H-11       | offer_id=26&aff_id=1004&transaction_id=$C&adv_sub=H-11&ip=198.51.100.4
      refused event   | goal_id=12&transaction_id=$C&adv_sub=H-12
      refused event   | goal_id={goal_id}&transaction_id=$C&adv_sub=H-13
      refused click_id | offer_id=26&transaction_id={transaction_id}&adv_sub=H-14
      refused transaction_id | offer_id=26&transaction_id=$C&adv_sub={adv_sub}
      held            | offer_id=26&transaction_id=$C&adv_sub=H-16&amount=-19.99
      refused status  | offer_id=26&transaction_id=$C&adv_sub=H-17&status=x
    `,
  },
  {
    tracker: 'everflow',
    events: { 0: 'sale', 4: 'bonus', deposit: 'bonus' },
    lines: `
      sale -           | nid=52&transaction_id=$C
      sale E-1         | nid=52&transaction_id=$C&order_id=E-1&amount=19.99
      bonus E-2        | nid=52&transaction_id=$C&event_id=4&order_id=E-2
      bonus E-3        | nid=52&transaction_id=$C&adv_event_id=deposit&order_id=E-3&amount=5
      sale E-4         | nid=52&transaction_id=$C&event_id=0&order_id=E-4
      sale E-5         | nid=52&transaction_id=$C&order_id=E-5&email=a%40example.com&verification_token=t0k
      sale E-6         | nid=52&oid=77&affid=8&transaction_id=$C&order_id=E-6&coupon_code=TEN
      sale E-7         | nid=52&transaction_id=$C&order_id=E-7&adv1=a&adv5=b&user_ip=203.0.113.5
      pending sale E-8 | nid=52&transaction_id=$C&order_id=E-8&conversion_status=pending
      rejected sale E-9 | nid=52&transaction_id=$C&order_id=E-9&conversion_status=rejected
      rejected sale E-10 | nid=52&transaction_id=$C&order_id=E-10&status=invalid
      sale E-11        | nid=52&transaction_id=$C&order_id=E-11&status=approved&timestamp=1772971200
      refused event    | nid=52&transaction_id=$C&event_id=9&order_id=E-12
      refused event    | nid=52&transaction_id=$C&adv_event_id={event}&order_id=E-13
      refused click_id | nid=52&transaction_id={tid}&order_id=E-14
      refused status   | nid=52&transaction_id=$C&order_id=E-15&conversion_status=throttled
      held             | nid=52&transaction_id=$C&order_id=E-16&amount=-19.99
      held             | nid=52&transaction_id=$C&order_id=E-17&action=refund
    `,
  },
  {
    tracker: 'cake',
    events: { 12: 'bonus' },
    lines: `
      sale -          | a=11&e=3&r=$C&f=pb
      sale CK1        | a=11&e=3&t=CK1&r=$C&f=pb
      sale CK2        | a=11&e=3&t=CK2&r=$C&p=4.50&f=pb
      sale CK3        | e=3&t=CK3&reqid=$C&d=x
      sale CK4        | a=11&o=77&e=3&f=pb&t=CK4&r=$C
      pending sale CK5 | a=11&e=3&t=CK5&r=$C&status=pending
      rejected sale CK6 | a=11&e=3&t=CK6&r=$C&status=rejected
      sale CK7        | a=11&e=3&t=CK7&r=$C&ap=19.99&apc=USD
      bonus CK8       | a=11&event_id=12&t=CK8&r=$C
      sale CK9        | a=11&e=3&t=CK9&r=$C&status=Approved
      sale CK10       | a=11&e=3&t=CK10&click_id=$C&ecv=a
      refused transaction_id | a=11&e=3&t=%23tid%23&r=$C
      refused transaction_id | a=11&e=3&t=TRANSACTION_ID&t=CK11&r=$C
      refused click_id | a=11&e=3&t=CK12
      refused status  | a=11&e=3&t=CK13&r=$C&status=scrub2
      held            | a=11&e=3&t=CK14&r=$C&price=-4.50
      held            | a=11&e=3&t=CK15&r=$C&disposition=returned
    `,
  },
]
