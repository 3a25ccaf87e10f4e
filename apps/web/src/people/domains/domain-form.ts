import type { BodyOf } from '@tallyroom/contract/endpoint'
import type { PreferredDomain, preferredDomainsEndpoints } from '@tallyroom/contract/people/domains'

/** The fields of the domain form. */
export type DomainValues = {
  domain: string
  description: string
  hidden: boolean
  rootUrl: string
}

export const newDomainValues: DomainValues = {
  domain: 'https://',
  description: '',
  hidden: false,
  rootUrl: '',
}

export const domainValues = ({
  domain,
  description,
  hidden,
  rootUrl,
}: PreferredDomain): DomainValues => ({ domain, description, hidden, rootUrl })

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
