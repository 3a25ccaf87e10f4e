import { NEED_ACTIVE_DOMAIN, type PreferredDomainItem } from '@tallyroom/contract/preferred-domains'
import { askToChange } from '../../ui/ask-to-change.ts'
import { confirm } from '../../ui/dialogs.ts'
import { setDomainHidden } from './preferred-domains.api.ts'

/** What is done to a domain that is active, and to one that is hidden; the words are the specification's. */
export const domainActionOf = ({ hidden }: Pick<PreferredDomainItem, 'hidden'>) =>
  hidden
    ? { label: 'Activate', question: 'Are you sure to activate domain?' }
    : { label: 'Hide', question: 'Are you sure to hide domain?' }

/** Asks, and activates or hides; the last active one stays. */
export async function askToChangeDomain(
  domain: PreferredDomainItem,
  { all, refresh }: { all: readonly PreferredDomainItem[]; refresh: () => Promise<unknown> },
) {
  if (!domain.hidden && all.every(({ id, hidden }) => hidden || id === domain.id)) {
    await confirm({
      heading: `Hide: ${domain.domain}`,
      body: NEED_ACTIVE_DOMAIN,
      hideCancel: true,
    })
    return
  }
  await askToChange(domainActionOf(domain), { whose: domain.domain, refresh }, () =>
    setDomainHidden(domain.id, !domain.hidden),
  )
}
