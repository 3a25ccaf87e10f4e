import type { BodyOf } from '@tallyroom/contract/endpoint'
import type { PreferredDomain, preferredDomainsEndpoints } from '@tallyroom/contract/people/domains'
import { fieldsOf } from '../../ui/form/fields-of.ts'

/** The fields of the domain form. */
export type DomainValues = typeof newDomainValues

export const newDomainValues = { domain: 'https://', description: '', hidden: false, rootUrl: '' }

export const domainValues = (domain: PreferredDomain): DomainValues =>
  fieldsOf(newDomainValues, domain)

export const newDomainOf = (
  values: DomainValues,
): BodyOf<typeof preferredDomainsEndpoints.createPreferredDomain> => values

export const domainChangeOf = (
  values: DomainValues,
  version?: number,
): BodyOf<typeof preferredDomainsEndpoints.updatePreferredDomain> => ({
  ...values,
  version,
})
