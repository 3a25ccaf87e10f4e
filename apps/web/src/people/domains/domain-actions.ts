import {
  NEED_ACTIVE_DOMAIN,
  type PreferredDomainItem,
  preferredDomainsEndpoints,
} from '@tallyroom/contract/people/domains'
import { officesEndpoints } from '@tallyroom/contract/people/offices'
import { call } from '../../lib/call.ts'
import { isApiError } from '../../lib/api-error.ts'
import { refreshOf } from '../../lib/queries.ts'
import { confirm } from '../../ui/dialogs/dialogs.tsx'
import { toastDone } from '../../ui/toasts.tsx'

/** A hidden domain can be activated, an active one hidden. The specification gives the questions. */
export const domainActionOf = ({ hidden }: Pick<PreferredDomainItem, 'hidden'>) =>
  hidden
    ? { label: 'Activate', question: 'Are you sure to activate domain?' }
    : { label: 'Hide', question: 'Are you sure to hide domain?' }

/** Asks for confirmation, then activates or hides the domain. The last active one can't be hidden. */
export async function askToChangeDomain(
  domain: PreferredDomainItem,
  { all, refresh }: { all: readonly PreferredDomainItem[]; refresh: () => Promise<unknown> },
) {
  const isLast = !domain.hidden && all.every(({ id, hidden }) => hidden || id === domain.id)
  if (isLast || (await askAndChange(domain, refresh)) === 'refused') await tellThatItIsLast(domain)
}

/** 'refused' if somebody else has hidden the other domains since the list was loaded. */
async function askAndChange(
  domain: PreferredDomainItem,
  refresh: () => Promise<unknown>,
): Promise<'refused' | undefined> {
  const { label, question } = domainActionOf(domain)
  let outcome: 'refused' | undefined
  await confirm({
    heading: `${label}: ${domain.domain}`,
    body: question,
    confirmLabel: label,
    // Specification 2, section 4: a failure leaves the list unchanged, with no message.
    silentErrors: true,
    action: async () => {
      try {
        await call(preferredDomainsEndpoints.preferredDomainsStatus, {
          body: { ids: [domain.id], hidden: !domain.hidden },
        })
      } catch (error) {
        if (!isApiError(error, 'CONFLICT')) throw error
        outcome = 'refused'
      }
      await refresh()
      if (!outcome) toastDone()
    },
  })
  return outcome
}

const tellThatItIsLast = ({ domain }: PreferredDomainItem) =>
  confirm({ heading: `Hide: ${domain}`, body: NEED_ACTIVE_DOMAIN, hideCancel: true })

/** Refetches the list, and the offices, which show their domains. */
export const refreshDomains = refreshOf(
  preferredDomainsEndpoints.preferredDomainsWithCompanies,
  officesEndpoints.searchOffices,
)
