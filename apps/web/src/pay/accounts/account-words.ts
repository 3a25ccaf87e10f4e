import type { AccountToConfirm } from '@tallyroom/contract/pay/accounts/payee-accounts'
import { dayOf } from '@tallyroom/domain/new-york'
import { daysInWords } from '@tallyroom/domain/periods'

type Doubt = AccountToConfirm['doubts'][number]
type Shared = AccountToConfirm['sharedWith'][number]

/** `28 Nov` */
export const dayInWords = (day: string): string => daysInWords({ start: day, end: day })

/** Why an account is doubted, in short. Somebody else's hand weighs more than another payee's. */
export const doubtTitle = ({ doubts }: Pick<AccountToConfirm, 'doubts'>): string =>
  doubts.length > 0
    ? 'Somebody else may have entered this account'
    : 'Another payee has entered the same account'

/** Why an account is doubted, as a sentence: what happened, by whom, and when. */
export function doubtText({ doubt, by, at }: Doubt): string {
  const whose = by === null ? '' : ` by ${by}`
  const when = at === null ? '' : ` on ${dayInWords(dayOf(new Date(at)))}`
  switch (doubt) {
    case 'password set':
      return `The payee’s password was set${whose}${when}.`
    case 'email set':
      return `The payee’s email address was set${whose}${when}.`
    case 'username set':
      return `The payee’s username was set${whose}${when}.`
    case 'made by staff':
      return `The payee’s sign-in was made${whose}${when}, and the payee has not set a password of their own since.`
    case 'signed in as':
      return `Signed in as the payee${whose}${when}.`
    case 'password shown':
      return `The payee’s password was shown to ${by ?? 'somebody else'}${when}.`
    case 'partner sign-in':
      return `A partner’s system signed the payee in${when}, without the payee’s password.`
    case 'new password':
      return `It is the payee’s first account, entered within a day of a new password.`
    case 'staff device':
      return `The payee signed in on a device that ${by ?? 'a member of staff'} also signed in on.`
    case 'staff address':
      return `The payee was in a network that ${by ?? 'a member of staff'} signed in from${when}.`
  }
}

/** What follows the name of another payee with the same account. */
export const sharedWords: Record<Shared['state'], string> = {
  'in force': 'is paid to the same account.',
  waiting: 'has entered the same account, which is waiting for confirmation.',
  refused: 'entered the same account, and it was refused.',
  former: 'had the same account before.',
}
