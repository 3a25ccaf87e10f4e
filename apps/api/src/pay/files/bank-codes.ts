/** What ISO 20022 calls the state of a transfer, in words, and what it means for us. */
export const STATUSES: Readonly<
  Record<string, { means: 'paid' | 'failed' | 'pending'; words: string } | undefined>
> = {
  ACCC: { means: 'paid', words: 'credited to the payee' },
  ACSC: { means: 'paid', words: 'settled' },
  RJCT: { means: 'failed', words: 'rejected' },
  CANC: { means: 'failed', words: 'cancelled' },
  ACCP: { means: 'pending', words: 'accepted' },
  ACFC: { means: 'pending', words: 'accepted, funds checked' },
  ACSP: { means: 'pending', words: 'accepted, being settled' },
  ACTC: { means: 'pending', words: 'accepted, format checked' },
  ACWC: { means: 'pending', words: 'accepted with a change' },
  ACWP: { means: 'pending', words: 'accepted, not credited to the payee yet' },
  BLCK: { means: 'pending', words: 'blocked' },
  PART: { means: 'pending', words: 'accepted in part' },
  PATC: { means: 'pending', words: 'authorised in part' },
  PDNG: { means: 'pending', words: 'pending' },
  PRES: { means: 'pending', words: 'presented to the payee' },
  RCVD: { means: 'pending', words: 'received' },
}

/** Why a transfer failed or came back, by the codes of ISO 20022 for statuses and returns. */
const REASONS: Readonly<Record<string, string | undefined>> = {
  AC01: 'the account number is wrong',
  AC02: 'the account that pays is wrong',
  AC03: 'the payee’s account number is wrong',
  AC04: 'the account is closed',
  AC05: 'the account that pays is closed',
  AC06: 'the account is blocked',
  AC07: 'the payee’s account is closed',
  AC13: 'the kind of account is wrong',
  AC14: 'the payee’s kind of account is wrong',
  AG01: 'transfers to this account are forbidden',
  AG02: 'the kind of transfer is wrong',
  AG03: 'this kind of transfer is not supported',
  AGNT: 'the bank is wrong',
  AM01: 'the amount is nothing',
  AM02: 'the amount is more than is allowed',
  AM03: 'the currency is not allowed',
  AM04: 'there was not enough money in the account that pays',
  AM05: 'it is a duplicate',
  AM06: 'the amount is too small',
  AM07: 'the amount is blocked',
  AM09: 'the amount is wrong',
  AM10: 'the control sum is wrong',
  AM12: 'the amount is not valid',
  AM14: 'the amount is more than was agreed with the bank',
  AM21: 'the amount is above the limit',
  AM23: 'the amount is above the limit',
  BE01: 'name and account don’t belong together',
  BE04: 'the payee’s address is missing or wrong',
  BE05: 'the bank does not know who pays',
  BE06: 'the payee is unknown at this bank',
  BE07: 'the address of who pays is missing or wrong',
  CNOR: 'the payee’s bank can’t be reached this way',
  CURR: 'the currency is wrong',
  CUST: 'the customer asked for it',
  CUTA: 'nobody could look into it in time',
  DNOR: 'the bank that pays can’t be reached this way',
  DT01: 'the date is wrong',
  DU01: 'the message is a duplicate',
  DU02: 'the payment instruction is a duplicate',
  DU03: 'the transfer is a duplicate',
  DU04: 'the reference is a duplicate',
  DUPL: 'it is a duplicate',
  ED05: 'the settlement failed',
  FF01: 'the file’s format is wrong',
  FOCR: 'it was cancelled',
  FR01: 'fraud is suspected',
  FRAD: 'fraud is suspected',
  LEGL: 'a court or the law forbids it',
  MD07: 'the payee has died',
  MS02: 'the payee gave no reason',
  MS03: 'the bank gave no reason',
  NARR: '',
  NOAS: 'the payee did not answer',
  RC01: 'the bank’s code is wrong',
  RC04: 'the payee’s bank is wrong',
  RC07: 'the payee’s bank has a wrong code',
  RF01: 'the reference is not unique',
  RR01: 'the account of who pays is missing',
  RR02: 'name or address of who pays is missing',
  RR03: 'the payee’s name or address is missing',
  RR04: 'a regulation forbids it',
  RUTA: 'the payee’s bank could not credit it',
  TECH: 'a technical fault',
  TM01: 'it came after the bank’s cut-off',
  UPAY: 'the payment was not due',
}

/** `AC04: the account is closed`. A code that is not known is shown as it was sent, and so is one without words. */
export function reasonText(code: string, more: readonly string[]): string {
  const words = [REASONS[code] ?? '', ...more].filter(Boolean).join('; ')
  if (code === '') return words
  return words === '' ? code : `${code}: ${words}`
}

/** `RJCT: rejected`; a status that is not known as it was sent. */
export const statusText = (code: string): string => {
  const known = STATUSES[code]
  return known ? `${code}: ${known.words}` : code
}
