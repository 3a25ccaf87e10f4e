import type { PostbackEvent } from './event-types.ts'
import type { Standing } from './standings.ts'
import type { TrackerId } from './tracker-ids.ts'

/** Software that merchants send postbacks with: what it calls things, and what its words mean. */
export type Tracker = {
  id: TrackerId
  name: string
  /** Its own names, read before the common ones. One with a dot is inside an object. */
  names: Partial<Record<TrackerField, readonly string[]>>
  /** Whether it sends our click id as `transaction_id`. */
  transactionIdIsClick: boolean
  /** Its words for events and statuses, to start a site's own with. */
  eventWords: readonly { word: string; event: PostbackEvent }[]
  statusWords: readonly { word: string; standing: Standing }[]
  /** Names of its own settings, which say nothing about this sale although they look like it. */
  settings: readonly string[]
  /** The parameter by which it marks a sale as a test, and the value that does so. */
  test: { name: string; value: string } | undefined
  /**
   * Of a shop whose refunds are bodies of their own: where these have the id of their order, where an order has the number
   * by which it is known and a refund has none, names that only refunds have, and whether their money is in a list of
   * transactions.
   */
  refund:
    | { order: string; orderNumber: string; marks: readonly string[]; hasTransactions: boolean }
    | undefined
  /** The postback of a sale, with its macros: a query, or JSON. */
  example: string
  /** What somebody has to do besides. */
  note: string
}

/** The fields that a tracker may call something else. */
export type TrackerField =
  | 'click_id'
  | 'transaction_id'
  | 'event'
  | 'status'
  | 'type'
  | 'email'
  | 'time'
  | 'reverses'

type Described = Pick<Tracker, 'id' | 'name' | 'names' | 'example'> &
  Partial<Omit<Tracker, 'eventWords' | 'statusWords'>> & {
    events?: Record<string, PostbackEvent>
    statuses?: Record<string, Standing>
  }

const tracker = ({ events = {}, statuses = {}, ...rest }: Described): Tracker => ({
  transactionIdIsClick: false,
  settings: [],
  note: '',
  test: undefined,
  refund: undefined,
  eventWords: Object.entries(events).map(([word, event]) => ({ word, event })),
  statusWords: Object.entries(statuses).map(([word, standing]) => ({ word, standing })),
  ...rest,
})

const YOUR_GOALS = 'Add its goals as event names.'

/** By name. Their documents say what they send; what a merchant calls its own goals is the merchant's. */
export const TRACKERS: readonly Tracker[] = [
  tracker({
    id: 'affise',
    name: 'Affise',
    names: {
      click_id: ['clickid'],
      transaction_id: ['action_id'],
      event: ['goal'],
      status: ['status'],
    },
    statuses: { 1: 'counts', 2: 'pending', 3: 'rejected', 4: 'pending', 5: 'pending' },
    example: 'clickid={clickid}&action_id={order}&goal={goal}&sum={sum}&status=1',
    note: YOUR_GOALS,
  }),
  tracker({
    id: 'awin',
    name: 'Awin',
    names: { click_id: ['cks', 'awc'], transaction_id: ['ref'], status: ['commission_status'] },
    settings: ['tt', 'tv', 'testmode', 'parts'],
    test: { name: 'testmode', value: '1' },
    example: 'tt=ss&tv=2&merchant={id}&amount={amount}&cr={currency}&ref={order}&cks={click}',
  }),
  tracker({
    id: 'binom',
    name: 'Binom',
    names: {
      click_id: ['cnv_id', 'clickid'],
      transaction_id: ['txid', 'transaction_id'],
      status: ['cnv_status', 'cnv_status2'],
    },
    statuses: { approve: 'counts', lead: 'pending', signup: 'pending' },
    settings: ['to_offer', 'disable_postback', 'upd_clickid', 'upd_payout'],
    example: 'cnv_id={click}&payout={payout}&cnv_status=approve&txid={order}',
    note: 'Add the statuses that your offer sends as status words.',
  }),
  tracker({
    id: 'cake',
    name: 'CAKE',
    names: { click_id: ['r', 'reqid'], transaction_id: ['t'], event: ['event_id'] },
    settings: ['a', 'e', 'o', 'f', 'p', 'd'],
    example: 'a={advertiser}&e={event}&t={order}&r={request}&p={price}&f=pb',
  }),
  tracker({
    id: 'dub',
    name: 'Dub',
    names: {
      click_id: ['clickId'],
      transaction_id: ['invoiceId'],
      event: ['eventName'],
      email: ['customerEmail'],
    },
    events: { 'invoice paid': 'sale', purchase: 'sale' },
    settings: ['paymentProcessor', 'mode'],
    example:
      '{"clickId":"{click}","invoiceId":"{order}","eventName":"Purchase","amount":1999,"currency":"usd"}',
  }),
  tracker({
    id: 'everflow',
    name: 'Everflow',
    names: {
      click_id: ['transaction_id', '_ef_transaction_id'],
      transaction_id: ['order_id'],
      event: ['adv_event_id', 'event_id'],
      status: ['conversion_status', 'status'],
    },
    transactionIdIsClick: true,
    events: { 0: 'sale' },
    // `oid` is its offer.
    settings: ['nid', 'oid', 'affid'],
    example:
      'nid={network}&transaction_id={click}&order_id={order}&amount={amount}&adv_event_id={event}',
    note: 'Add its events as event names.',
  }),
  tracker({
    id: 'impact',
    name: 'impact.com',
    names: {
      click_id: ['ClickId'],
      transaction_id: ['OrderId'],
      event: ['ActionTrackerId', 'EventTypeId'],
      status: ['OrderStatus', 'ActionStatus'],
      email: ['CustomerEmail'],
      time: ['EventDate'],
    },
    statuses: { approved: 'counts', pending: 'pending', reversed: 'reverses' },
    settings: ['CampaignId', 'CustomerStatus'],
    example:
      'CampaignId={id}&ActionTrackerId={event}&ClickId={click}&OrderId={order}&Amount={amount}',
    note: 'Add its action trackers as event names.',
  }),
  tracker({
    id: 'keitaro',
    name: 'Keitaro',
    names: { click_id: ['subid'], transaction_id: ['tid'], status: ['status'] },
    events: { rebill: 'rebill' },
    statuses: {
      lead: 'pending',
      sale: 'counts',
      rejected: 'rejected',
      hold: 'pending',
      registration: 'pending',
      trash: 'rejected',
    },
    settings: [
      'sale_status',
      'lead_status',
      'rejected_status',
      'ignore_status',
      'ignore',
      'return',
    ],
    example: 'subid={subid}&status=sale&payout={payout}&currency=usd&tid={order}',
  }),
  tracker({
    id: 'post-affiliate-pro',
    name: 'Post Affiliate Pro',
    names: {
      click_id: ['visitorId'],
      transaction_id: ['OrderID', 'o'],
      event: ['ActionCode', 'ac'],
      status: ['Status', 's'],
    },
    events: { sale: 'sale', lead: 'bonus' },
    statuses: { a: 'counts', p: 'pending', d: 'rejected' },
    settings: ['AccountId', 'tracking', 'dndc'],
    example:
      'AccountId=default1&visitorId={click}&OrderID={order}&TotalCost={amount}&ActionCode={action}&Status=A',
    note: 'Add its action codes as event names.',
  }),
  tracker({
    id: 'redtrack',
    name: 'RedTrack',
    names: {
      click_id: ['clickid'],
      transaction_id: ['rdtk_event_id', 'event_id'],
      event: ['type'],
      status: ['status'],
    },
    events: { conversion: 'sale', purchase: 'sale', sale: 'sale', lead: 'bonus' },
    example: 'clickid={click}&sum={amount}&type=Purchase&rdtk_event_id={order}',
    note: 'Add its conversion types as event names.',
  }),
  tracker({
    id: 'scaleo',
    name: 'Scaleo',
    names: {
      click_id: ['click_id'],
      transaction_id: ['adv_order_id'],
      event: ['goal_alias', 'goal_id'],
      status: ['conv_status'],
    },
    statuses: {
      1: 'counts',
      2: 'pending',
      3: 'rejected',
      5: 'rejected',
      approved: 'counts',
      pending: 'pending',
      rejected: 'rejected',
      trash: 'rejected',
    },
    example:
      'click_id={click}&goal_alias={goal}&conv_status=approved&adv_order_id={order}&amount={amount}',
    note: YOUR_GOALS,
  }),
  tracker({
    id: 'shopify',
    name: 'Shopify',
    names: {
      click_id: ['click_id'],
      transaction_id: ['order_number', 'id'],
      status: ['financial_status'],
      email: ['email', 'customer.email'],
      time: ['processed_at', 'created_at'],
    },
    statuses: {
      paid: 'counts',
      pending: 'pending',
      authorized: 'pending',
      partially_paid: 'pending',
      refunded: 'reverses',
      voided: 'reverses',
    },
    example:
      '{"order_number":"{order}","financial_status":"paid","total_price":"19.99","currency":"USD","note_attributes":[{"name":"click_id","value":"{click}"}]}',
    test: { name: 'test', value: 'true' },
    refund: {
      order: 'order_id',
      orderNumber: 'order_number',
      marks: ['refund_line_items'],
      hasTransactions: true,
    },
    note: 'Use its webhooks orders/paid and refunds/create, with the click id as a cart attribute.',
  }),
  tracker({
    id: 'taboola',
    name: 'Taboola',
    names: { click_id: ['click-id'], transaction_id: ['orderid'], event: ['name'] },
    events: { purchase: 'sale', lead: 'bonus' },
    example: 'click-id={click}&name=purchase&revenue={amount}&currency=USD&orderid={order}',
  }),
  tracker({
    id: 'tapfiliate',
    name: 'Tapfiliate',
    names: { click_id: ['click_id'], transaction_id: ['external_id'], status: ['status'] },
    settings: ['commission_type', 'program_group_id', 'referral_code'],
    example:
      '{"click_id":"{click}","external_id":"{order}","amount":19.99,"commission_type":"standard"}',
  }),
  tracker({
    id: 'trackier',
    name: 'Trackier',
    names: {
      click_id: ['click_id'],
      transaction_id: ['txn_id'],
      event: ['goal_value', 'goal_id'],
      status: ['status'],
    },
    statuses: {
      approved: 'counts',
      pending: 'pending',
      rejected: 'rejected',
      cancelled: 'rejected',
    },
    example:
      'click_id={click}&txn_id={order}&sale_amount={amount}&goal_value={goal}&status=approved&currency=USD',
    note: YOUR_GOALS,
  }),
  tracker({
    id: 'tune',
    name: 'TUNE (HasOffers)',
    names: {
      click_id: ['transaction_id'],
      transaction_id: ['adv_sub', 'order_id'],
      event: ['goal_id', 'goal_name'],
      status: ['status'],
    },
    transactionIdIsClick: true,
    settings: ['offer_id', 'security_token'],
    example:
      'offer_id={offer}&transaction_id={click}&adv_sub={order}&amount={amount}&goal_id={goal}',
    note: YOUR_GOALS,
  }),
  tracker({
    id: 'voluum',
    name: 'Voluum',
    names: { click_id: ['cid'], transaction_id: ['txid'], event: ['et'], status: ['status'] },
    example: 'cid={click}&payout={payout}&txid={order}&et={event}',
    note: 'Add its event types as event names.',
  }),
  tracker({
    id: 'woocommerce',
    name: 'WooCommerce',
    names: {
      click_id: ['click_id'],
      transaction_id: ['number', 'order_id', 'id'],
      status: ['status'],
      email: ['email', 'billing.email'],
    },
    statuses: {
      completed: 'counts',
      processing: 'counts',
      'on-hold': 'pending',
      pending: 'pending',
      cancelled: 'rejected',
      failed: 'rejected',
      trash: 'rejected',
      refunded: 'reverses',
    },
    example:
      '{"number":"{order}","status":"processing","total":"19.99","currency":"EUR","meta_data":[{"key":"click_id","value":"{click}"}]}',
    refund: {
      order: 'parent_id',
      orderNumber: 'number',
      marks: ['amount', 'refunded_by'],
      hasTransactions: false,
    },
    note: 'Its order is paid when it says processing. Keep the click id in the order’s meta data.',
  }),
]

/** Undefined for an unknown id, and for none. */
export const findTracker = (id: string): Tracker | undefined =>
  TRACKERS.find((candidate) => candidate.id === id)
