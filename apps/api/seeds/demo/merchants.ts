/** A merchant's site in the demo network, and what it sells. Rates are in cents and centavos. */
export type DemoSite = {
  sitename: string
  shortname: string
  abbr: string
  type: 'WEBCAMS' | 'ADULT' | 'DATING' | 'CASINO'
  host: string
  contactName: string
  clickParam: string
  useApproveSale?: true
  avp?: true
  /** Popularity with agents; 1 is average. */
  demand: number
  /** The merchant also reports paid clicks. */
  reportsClicks?: true
  /** Reports once an hour, with the time of each sale. */
  reportsHourly?: true
  /** Its postbacks say what the customer paid, four times what the network earns. */
  reportsAmounts?: true
  /** Its postbacks contain the click id but no order number. */
  sendsNoTransaction?: true
  types: readonly DemoLinkType[]
}

export type DemoLinkType = {
  typename: string
  typealias: string
  path: string
  earningCents: number
  payoutCentavos: number
  lpp: number
  bonus?: { earningCents: number; payoutCentavos: number; lpp: number; share: number }
  /** The share of counted clicks that become sales for an average agent. */
  conversion: number
}

export const sites: readonly DemoSite[] = [
  {
    sitename: 'Lantern Live',
    shortname: 'Lantern',
    abbr: 'LNT',
    type: 'WEBCAMS',
    host: 'www.lanternlive.example',
    contactName: 'Nora Whitfield',
    clickParam: 'click_id',
    avp: true,
    demand: 1.5,
    types: [
      type('Free Sign-up', 'free', 250, 40_00, 1, 0.042),
      type('Premium Member', 'premium', 4500, 900_00, 3, 0.013, followedBy(1500, 300_00, 1, 0.3)),
      type('Credits Pack', 'credits', 2000, 400_00, 2, 0.017),
    ],
  },
  {
    sitename: 'Velvet Stage',
    shortname: 'Velvet',
    abbr: 'VST',
    type: 'WEBCAMS',
    host: 'join.velvetstage.example',
    contactName: 'Martin Kessler',
    clickParam: 'cid',
    avp: true,
    demand: 1.2,
    types: [
      type('Free Sign-up', 'free', 200, 35_00, 1, 0.038),
      type('Gold Member', 'gold', 5200, 1_050_00, 4, 0.01, followedBy(2000, 380_00, 1, 0.25)),
    ],
  },
  {
    sitename: 'Moonroom',
    shortname: 'Moonroom',
    abbr: 'MNR',
    type: 'WEBCAMS',
    host: 'moonroom.example',
    contactName: 'Ada Lindqvist',
    clickParam: '',
    useApproveSale: true,
    demand: 0.9,
    types: [
      type('Trial', 'trial', 300, 60_00, 1, 0.034, followedBy(3200, 640_00, 2, 0.55)),
      type('Monthly Pass', 'monthly', 800, 150_00, 1, 0.022, followedBy(4400, 880_00, 3, 0.6)),
    ],
  },
  {
    sitename: 'Harbor Hearts',
    shortname: 'Harbor',
    abbr: 'HHT',
    type: 'DATING',
    host: 'www.harborhearts.example',
    contactName: 'Elliot Marsh',
    clickParam: 'aff_click',
    avp: true,
    demand: 1.4,
    types: [
      type('Profile', 'profile', 320, 55_00, 1, 0.045),
      type('Full Member', 'member', 3900, 780_00, 3, 0.014, followedBy(1200, 240_00, 1, 0.35)),
      type('Mobile Profile', 'mobile', 280, 48_00, 1, 0.035),
      type('Year Pass', 'year', 8900, 1_700_00, 5, 0.004),
    ],
  },
  {
    sitename: 'Kindred Lane',
    shortname: 'Kindred',
    abbr: 'KDL',
    type: 'DATING',
    host: 'start.kindredlane.example',
    contactName: 'Priya Raman',
    clickParam: 'subid',
    useApproveSale: true,
    demand: 1.1,
    types: [
      type('Day Pass', 'day', 150, 30_00, 1, 0.036, followedBy(2400, 480_00, 2, 0.5)),
      type('Full Member', 'member', 600, 120_00, 1, 0.022, followedBy(3600, 720_00, 3, 0.62)),
      type('Gift Member', 'gift', 400, 80_00, 1, 0.014, followedBy(3000, 600_00, 2, 0.58)),
    ],
  },
  {
    sitename: 'Slow Dance',
    shortname: 'SlowDance',
    abbr: 'SLD',
    type: 'DATING',
    host: 'www.slowdance.example',
    contactName: 'Henrik Solberg',
    clickParam: 'click_id',
    demand: 0.7,
    types: [
      type('Profile', 'profile', 260, 45_00, 1, 0.042),
      type('Full Member', 'member', 3400, 690_00, 3, 0.013),
    ],
  },
  {
    sitename: 'Copper Ace',
    shortname: 'CopperAce',
    abbr: 'CPA',
    type: 'CASINO',
    host: 'play.copperace.example',
    contactName: 'Dana Brook',
    clickParam: 'clickid',
    avp: true,
    demand: 1.3,
    reportsClicks: true,
    reportsAmounts: true,
    types: [
      type('Registration', 'reg', 500, 90_00, 1, 0.035),
      type('First Deposit', 'ftd', 7500, 1_500_00, 5, 0.008, followedBy(2500, 500_00, 2, 0.3)),
      type('App Install', 'app', 350, 65_00, 1, 0.032),
    ],
  },
  {
    sitename: 'Lucky Pier',
    shortname: 'LuckyPier',
    abbr: 'LKP',
    type: 'CASINO',
    host: 'www.luckypier.example',
    contactName: 'Tomas Vega',
    clickParam: 'cid',
    demand: 0.9,
    types: [
      type('Registration', 'reg', 450, 80_00, 1, 0.032),
      type('First Deposit', 'ftd', 6800, 1_350_00, 4, 0.008),
    ],
  },
  {
    sitename: 'Blue Baize',
    shortname: 'BlueBaize',
    abbr: 'BLB',
    type: 'CASINO',
    host: 'tables.bluebaize.example',
    contactName: 'Ingrid Falk',
    clickParam: 'click_id',
    reportsHourly: true,
    demand: 0.6,
    types: [
      type('Free Table', 'free', 180, 30_00, 1, 0.038),
      type('First Deposit', 'ftd', 6200, 1_250_00, 4, 0.007, followedBy(1800, 360_00, 1, 0.3)),
      type('High Table', 'high', 12_000, 2_400_00, 6, 0.002),
    ],
  },
  {
    sitename: 'Silk Ribbon',
    shortname: 'SilkRibbon',
    abbr: 'SKR',
    type: 'ADULT',
    host: 'www.silkribbon.example',
    contactName: 'Colette Aubry',
    clickParam: 'tid',
    demand: 0.9,
    types: [
      type('Newsletter', 'news', 120, 20_00, 1, 0.049),
      type('Membership', 'member', 2900, 580_00, 2, 0.013, followedBy(900, 180_00, 1, 0.3)),
    ],
  },
  {
    sitename: 'After Eight Club',
    shortname: 'AfterEight',
    abbr: 'AE8',
    type: 'ADULT',
    host: 'aftereightclub.example',
    contactName: 'Joel Hartman',
    clickParam: '',
    useApproveSale: true,
    demand: 0.7,
    types: [
      type('Trial', 'trial', 200, 40_00, 1, 0.03, followedBy(2600, 520_00, 2, 0.5)),
      type('Membership', 'member', 500, 100_00, 1, 0.02, followedBy(3300, 660_00, 2, 0.6)),
    ],
  },
  {
    sitename: 'Rosewater',
    shortname: 'Rosewater',
    abbr: 'RSW',
    type: 'ADULT',
    host: 'www.rosewater.example',
    contactName: 'Mei Tanaka',
    clickParam: 'click_id',
    sendsNoTransaction: true,
    demand: 0.5,
    types: [
      type('Free Sign-up', 'free', 160, 28_00, 1, 0.038),
      type('Season Pass', 'season', 4100, 820_00, 3, 0.008),
    ],
  },
]

/**
 * Tiers by an agent's sales in a week, from the Monday `weeksAgo` on; the last schedule is in the future. Rates
 * are per sale.
 */
export const avpSchedules = [
  {
    weeksAgo: 40,
    tiers: [
      tier(0, 0, 0, 0),
      tier(1, 2, 0, 0),
      tier(3, 7, 110_00, 1_95),
      tier(8, 1000, 165_00, 2_90),
    ],
  },
  {
    weeksAgo: 9,
    tiers: [
      tier(0, 0, 0, 0),
      tier(1, 2, 0, 0),
      tier(3, 5, 120_00, 2_10),
      tier(6, 9, 165_00, 2_90),
      tier(10, 1000, 210_00, 3_70),
    ],
  },
  {
    weeksAgo: -4,
    tiers: [
      tier(0, 0, 0, 0),
      tier(1, 2, 0, 0),
      tier(3, 5, 130_00, 2_30),
      tier(6, 9, 175_00, 3_05),
      tier(10, 1000, 220_00, 3_85),
    ],
  },
] as const

/**
 * Default payouts that changed before the demo's first sale. The common logs have the same changes
 * (`deeds`).
 */
export const formerPayouts = [
  { site: 'Lantern Live', typealias: 'credits', payoutCentavos: 380_00, days: 152, time: '15:20' },
  { site: 'Velvet Stage', typealias: 'gold', payoutCentavos: 1_000_00, days: 139, time: '11:43' },
  { site: 'Lantern Live', typealias: 'premium', payoutCentavos: 850_00, days: 131, time: '16:05' },
] as const

/** Rates prepared for the 1st of next month. Without an office: default rates. */
export const preparedPayouts = [
  { site: 'Lantern Live', typealias: 'credits', payoutCentavos: 420_00, note: 'Holiday season' },
  {
    site: 'Lantern Live',
    typealias: 'premium',
    office: 'Manila',
    payoutCentavos: 1_050_00,
    note: 'As agreed with Manila',
  },
] as const

/** Offices' own rates, as factors of the default ones. */
export const ownRates = [
  { office: 'Manila', site: 'Lantern Live', typealias: 'premium', factor: 1.1, enabled: true },
  { office: 'Manila', site: 'Harbor Hearts', typealias: 'member', factor: 1.15, enabled: true },
  { office: 'Cebu', site: 'Copper Ace', typealias: 'ftd', factor: 1.2, enabled: true },
  { office: 'Cebu', site: 'Copper Ace', typealias: 'reg', factor: 1.1, enabled: true },
  { office: 'Makati', site: 'Copper Ace', typealias: 'ftd', factor: 1.25, enabled: true },
  { office: 'Makati', site: 'Kindred Lane', typealias: 'member', factor: 1.1, enabled: true },
  { office: 'Baguio', site: 'Velvet Stage', typealias: 'gold', factor: 0.9, enabled: true },
  { office: 'Davao', site: 'Lantern Live', typealias: 'premium', factor: 0.95, enabled: false },
] as const

function type(
  typename: string,
  typealias: string,
  earningCents: number,
  payoutCentavos: number,
  lpp: number,
  conversion: number,
  bonus?: DemoLinkType['bonus'],
): DemoLinkType {
  const path = `/join/${typealias}?src=partners`
  const rates = { earningCents, payoutCentavos, lpp, conversion }
  return { typename, typealias, path, ...rates, ...(bonus && { bonus }) }
}

/** `share`: how many sales are followed by a bonus, or approvals by the Day#2 sale. */
function followedBy(earningCents: number, payoutCentavos: number, lpp: number, share: number) {
  return { earningCents, payoutCentavos, lpp, share }
}

function tier(fromSales: number, toSales: number, payoutCentavos: number, payoutCents: number) {
  return { fromSales, toSales, payoutCentavos, payoutCents }
}
