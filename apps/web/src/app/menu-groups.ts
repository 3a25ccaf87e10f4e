/** What belongs together of the tabs of *Pay*. */
export const payGroups = [
  {
    label: 'Close and pay',
    pages: [
      '/app/pay/periods',
      '/app/pay/statements',
      '/app/pay/runs',
      '/app/pay/proposals',
      '/app/pay/how-pay-works',
    ],
  },
  {
    label: 'Payees',
    pages: ['/app/pay/balances', '/app/pay/balance', '/app/pay/accounts', '/app/pay/account'],
  },
  {
    label: 'Books',
    pages: ['/app/pay/profit', '/app/pay/journal', '/app/pay/years', '/app/pay/withholding'],
  },
] as const

/** The same of *Settings*. Its first page, as specified, is that of *Tracking*. */
export const settingsGroups = [
  {
    label: 'Network',
    pages: ['/app/settings/options', '/app/settings/contact', '/app/settings/sign-in'],
  },
  {
    label: 'Money',
    pages: ['/app/settings/avp-schedule', '/app/settings/pay', '/app/settings/pay-files'],
  },
  { label: 'Tracking', pages: ['/app/settings/black-list-ip'] },
  {
    label: 'Connections',
    pages: ['/app/settings/postbacks', '/app/settings/webhooks', '/app/settings/queue'],
  },
  { label: 'Health', pages: ['/app/settings/alarms', '/app/settings/verification'] },
] as const

/** Few tabs are read at a glance. */
const MOST_UNGROUPED = 6

interface TabGroup<Page> {
  /** Undefined where pages stand in no group. */
  label: string | undefined
  pages: readonly Page[]
}

/** The open pages of an area as its tabs have them: in groups if they are many. */
export function tabGroups<Page extends { to: string }>({
  pages,
  groups,
}: {
  pages: readonly Page[]
  groups?: readonly { label: string; pages: readonly string[] }[]
}): TabGroup<Page>[] {
  if (!groups || pages.length <= MOST_UNGROUPED) return [{ label: undefined, pages }]
  const grouped = new Set(groups.flatMap((group) => group.pages))
  return [
    ...groups.map((group) => ({
      label: group.label,
      pages: group.pages.flatMap((path) => pages.filter(({ to }) => to === path)),
    })),
    { label: undefined, pages: pages.filter(({ to }) => !grouped.has(to)) },
  ].filter((group) => group.pages.length > 0)
}
