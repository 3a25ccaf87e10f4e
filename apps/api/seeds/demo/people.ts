/** An office of the demo network with its agents. */
export type DemoOffice = {
  name: string
  username: string
  manager: readonly [firstName: string, lastName: string]
  /** The index of its preferred domain. */
  domain: number
  /** The traffic of its agents relative to others. */
  pace: number
  /** The change of its traffic from the first to the last day: 1.3 is 30 % more. */
  growth: number
  agentNotes: string
  suspendedDaysAgo?: number
  agents: readonly DemoAgent[]
}

export type DemoAgent = {
  firstName: string
  lastName: string
  username: string
  /** Traffic and conversion; 1 is average. */
  pace: number
  skill: number
  /** When the agent joined; by default long before the first day. */
  joinedDaysAgo?: number
  /** When the agent's traffic stopped. */
  suspendedDaysAgo?: number
  hidden?: true
  unapproved?: true
  fraudFlagged?: true
  loginBlocked?: true
  mustRead?: string
  /** The sites that the agent sells; random by default. */
  sells?: readonly string[]
}

export const demoPassword = 'demo-2026'

const adminFlags = [
  'APPROVE_AGENTS',
  'SHOW_COMMON_LOGS',
  'EARNING_VISIBLE',
  'SHOW_SUSPEND',
  'PAY',
] as const

export const staff = [
  { role: 'superadmin', username: 'superadmin', email: 'superadmin@tallyroom.example' },
  { role: 'admin', username: 'admin', email: 'admin@tallyroom.example', permissions: adminFlags },
  { role: 'admin', username: 'admin2', email: 'admin2@tallyroom.example' },
] as const

/** Whom offices and agents ask. */
export const contact = {
  name: 'Partner support',
  chat: 'https://chat.tallyroom.example/partners',
  email: 'partners@tallyroom.example',
}

export const preferredDomains = [
  { domain: 'https://go.brightlane.example', description: 'The main domain', hidden: false },
  {
    domain: 'https://visit.sunlitpath.example',
    description: 'Visayas and Mindanao',
    hidden: false,
  },
  { domain: 'https://r.paperboat.example', description: 'New offices start here', hidden: false },
  { domain: 'https://go.oldharbor.example', description: 'Retired last spring', hidden: true },
] as const

export const offices: readonly DemoOffice[] = [
  {
    name: 'Manila',
    username: 'manila',
    manager: ['Ramon', 'Villanueva'],
    domain: 0,
    pace: 1.35,
    growth: 1.25,
    agentNotes: 'Night shift hands over at 06:00 Manila time. Log every chat the same day.',
    agents: [
      {
        firstName: 'Maria',
        lastName: 'Santos',
        username: 'maria',
        pace: 1.7,
        skill: 1.35,
        sells: ['Lantern Live', 'Harbor Hearts', 'Moonroom', 'Copper Ace'],
      },
      { firstName: 'Jose', lastName: 'Reyes', username: 'jose', pace: 1.2, skill: 1.1 },
      { firstName: 'Angelica', lastName: 'Cruz', username: 'angelica', pace: 1.4, skill: 0.95 },
      { firstName: 'Paolo', lastName: 'Bautista', username: 'paolo', pace: 0.9, skill: 1.2 },
      { firstName: 'Liza', lastName: 'Mendoza', username: 'liza', pace: 1.1, skill: 0.85 },
      { firstName: 'Mark', lastName: 'Garcia', username: 'markg', pace: 0.8, skill: 1 },
      {
        firstName: 'Grace',
        lastName: 'Aquino',
        username: 'grace',
        pace: 1,
        skill: 1.15,
        joinedDaysAgo: 74,
      },
      { firstName: 'Ramil', lastName: 'Torres', username: 'ramil', pace: 0.6, skill: 0.7 },
      {
        firstName: 'Tessa',
        lastName: 'Navarro',
        username: 'tessa',
        pace: 0.9,
        skill: 0.9,
        joinedDaysAgo: 31,
        mustRead: 'Welcome! Ask Maria to show you the chat log before your first shift.',
      },
      {
        firstName: 'Jun',
        lastName: 'Domingo',
        username: 'jun',
        pace: 0.7,
        skill: 0.8,
        hidden: true,
      },
    ],
  },
  {
    name: 'Cebu',
    username: 'cebu',
    manager: ['Corazon', 'Alonzo'],
    domain: 1,
    pace: 1.05,
    growth: 1.45,
    agentNotes: 'New rates for Copper Ace apply to our office. See Offices custom payments.',
    agents: [
      { firstName: 'Carlo', lastName: 'Ybanez', username: 'carlo', pace: 1.5, skill: 1.2 },
      { firstName: 'Bea', lastName: 'Lopez', username: 'bea', pace: 1.2, skill: 1.3 },
      { firstName: 'Nico', lastName: 'Ramos', username: 'nico', pace: 1, skill: 0.9 },
      { firstName: 'Joy', lastName: 'Cabrera', username: 'joy', pace: 0.9, skill: 1 },
      { firstName: 'Dennis', lastName: 'Yap', username: 'dennis', pace: 0.8, skill: 0.75 },
      {
        firstName: 'Kristine',
        lastName: 'Lim',
        username: 'kristine',
        pace: 1.1,
        skill: 1.1,
        joinedDaysAgo: 96,
      },
      {
        firstName: 'Arnel',
        lastName: 'Sy',
        username: 'arnel',
        pace: 0.7,
        skill: 0.9,
        joinedDaysAgo: 52,
      },
      {
        firstName: 'Mylene',
        lastName: 'Go',
        username: 'mylene',
        pace: 0.9,
        skill: 1,
        joinedDaysAgo: 18,
      },
      {
        firstName: 'Trisha',
        lastName: 'Uy',
        username: 'trisha',
        pace: 1,
        skill: 1,
        joinedDaysAgo: 1,
        unapproved: true,
      },
    ],
  },
  {
    name: 'Davao',
    username: 'davao',
    manager: ['Benjie', 'Dela Cruz'],
    domain: 1,
    pace: 0.8,
    growth: 0.75,
    agentNotes: '',
    agents: [
      { firstName: 'Ivan', lastName: 'Flores', username: 'ivan', pace: 1.3, skill: 1 },
      { firstName: 'Shiela', lastName: 'Castro', username: 'shiela', pace: 1.1, skill: 1.1 },
      {
        firstName: 'Rico',
        lastName: 'Salazar',
        username: 'rico',
        pace: 1.2,
        skill: 1.6,
        suspendedDaysAgo: 9,
        fraudFlagged: true,
      },
      { firstName: 'Hazel', lastName: 'Morales', username: 'hazel', pace: 0.9, skill: 0.9 },
      { firstName: 'Jomar', lastName: 'Rivera', username: 'jomar', pace: 0.8, skill: 0.8 },
      { firstName: 'Aileen', lastName: 'Soriano', username: 'aileen', pace: 0.7, skill: 1.2 },
      {
        firstName: 'Edwin',
        lastName: 'Pascual',
        username: 'edwin',
        pace: 0.6,
        skill: 0.7,
        loginBlocked: true,
      },
    ],
  },
  {
    name: 'Baguio',
    username: 'baguio',
    manager: ['Teresita', 'Carino'],
    domain: 2,
    pace: 0.75,
    growth: 1.3,
    agentNotes: 'Office closed on the first Monday of the month.',
    agents: [
      { firstName: 'Althea', lastName: 'Bugtong', username: 'althea', pace: 1.2, skill: 1.15 },
      { firstName: 'Leo', lastName: 'Dizon', username: 'leo', pace: 1, skill: 1 },
      { firstName: 'Rowena', lastName: 'Alcantara', username: 'rowena', pace: 0.9, skill: 1.05 },
      { firstName: 'Miggy', lastName: 'Valdez', username: 'miggy', pace: 0.8, skill: 0.85 },
      {
        firstName: 'Camille',
        lastName: 'Perez',
        username: 'camille',
        pace: 1.1,
        skill: 1.2,
        joinedDaysAgo: 63,
      },
    ],
  },
  {
    name: 'Iloilo',
    username: 'iloilo',
    manager: ['Nelson', 'Palma'],
    domain: 1,
    pace: 0.6,
    growth: 0.85,
    agentNotes: '',
    suspendedDaysAgo: 12,
    agents: [
      { firstName: 'Vince', lastName: 'Gallego', username: 'vince', pace: 1.1, skill: 0.9 },
      { firstName: 'Donna', lastName: 'Jalandoni', username: 'donna', pace: 1, skill: 1 },
      { firstName: 'Rey', lastName: 'Locsin', username: 'rey', pace: 0.8, skill: 0.8 },
      { firstName: 'Cherry', lastName: 'Montano', username: 'cherry', pace: 0.7, skill: 0.9 },
    ],
  },
  {
    name: 'Makati',
    username: 'makati',
    manager: ['Isabel', 'Magsino'],
    domain: 0,
    pace: 1.15,
    growth: 1.6,
    agentNotes: 'Casino sites first on weekends.',
    agents: [
      { firstName: 'Gabriel', lastName: 'Ocampo', username: 'gab', pace: 1.4, skill: 1.25 },
      { firstName: 'Patricia', lastName: 'Enriquez', username: 'patricia', pace: 1.3, skill: 1.1 },
      { firstName: 'Enzo', lastName: 'Tan', username: 'enzo', pace: 1, skill: 0.95 },
      {
        firstName: 'Bianca',
        lastName: 'Chua',
        username: 'bianca',
        pace: 1.2,
        skill: 1.3,
        joinedDaysAgo: 88,
      },
      {
        firstName: 'Luis',
        lastName: 'Mercado',
        username: 'luis',
        pace: 0.9,
        skill: 0.9,
        joinedDaysAgo: 25,
      },
    ],
  },
]
