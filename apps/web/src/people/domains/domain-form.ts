import type { PreferredDomain } from '@tallyroom/contract/people/domains'
import type { DomainChange, NewDomain } from './preferred-domains.api.ts'

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

export const newDomainOf = (values: DomainValues): NewDomain => values

export const domainChangeOf = (values: DomainValues, version?: number): DomainChange => ({
  ...values,
  version,
})
