/** Where a payee's money can go, by BIC, the code that InstaPay and PESONet files use. */
export type Institution = { code: string; name: string; kind: 'bank' | 'wallet' }

/** Banks and e-wallets that payees choose from. Other banks are entered by their BIC. */
export const INSTITUTIONS: readonly Institution[] = [
  { code: 'AUBKPHMM', name: 'Asia United Bank (AUB)', kind: 'bank' },
  { code: 'BNORPHMM', name: 'BDO Unibank', kind: 'bank' },
  { code: 'BOPIPHMM', name: 'Bank of the Philippine Islands (BPI)', kind: 'bank' },
  { code: 'CHBKPHMM', name: 'China Bank', kind: 'bank' },
  { code: 'DBPHPHMM', name: 'Development Bank of the Philippines (DBP)', kind: 'bank' },
  { code: 'EWBCPHMM', name: 'EastWest Bank', kind: 'bank' },
  { code: 'TLBPPHMM', name: 'Land Bank of the Philippines', kind: 'bank' },
  { code: 'MBTCPHMM', name: 'Metrobank', kind: 'bank' },
  { code: 'PNBMPHMM', name: 'Philippine National Bank (PNB)', kind: 'bank' },
  { code: 'RCBCPHMM', name: 'Rizal Commercial Banking Corporation (RCBC)', kind: 'bank' },
  { code: 'SETCPHMM', name: 'Security Bank', kind: 'bank' },
  { code: 'UBPHPHMM', name: 'UnionBank of the Philippines', kind: 'bank' },
  { code: 'GXCHPHM2', name: 'GCash', kind: 'wallet' },
  { code: 'PAPHPHM1', name: 'Maya', kind: 'wallet' },
]

/** A bank's BIC: 8 or 11 characters. */
export const isBic = (code: string): boolean => /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/.test(code)

/** The name of an institution, or its code if it is not in the list. */
export const institutionName = (code: string): string =>
  INSTITUTIONS.find((one) => one.code === code)?.name ?? code
