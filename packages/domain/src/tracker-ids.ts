/** The trackers that we know, apart from what they send: every page needs to know them, few need the rest. */
export const TRACKER_IDS = [
  'affise',
  'awin',
  'binom',
  'cake',
  'dub',
  'everflow',
  'impact',
  'keitaro',
  'post-affiliate-pro',
  'redtrack',
  'scaleo',
  'shopify',
  'taboola',
  'tapfiliate',
  'trackier',
  'tune',
  'voluum',
  'woocommerce',
] as const

export type TrackerId = (typeof TRACKER_IDS)[number]

export const isTrackerId = (text: string): text is TrackerId =>
  TRACKER_IDS.some((id) => id === text)
