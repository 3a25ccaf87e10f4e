import type { PreferredDomain } from '@tallyroom/contract/preferred-domains'
import type { DomainChange, NewDomain } from './preferred-domains.api.ts'

/** The fields of the domain form. */
export type DomainValues = {
  domain: string
  description: string
  hidden: boolean
}

export const newDomainValues: DomainValues = { domain: 'https://', description: '', hidden: false }

export const domainValues = ({ domain, description, hidden }: PreferredDomain): DomainValues => ({
  domain,
  description,
  hidden,
})

export const newDomainOf = (values: DomainValues): NewDomain => values

export const domainChangeOf = (values: DomainValues, version?: number): DomainChange => ({
  ...values,
  version,
})

/** Field names for messages. */
export const domainLabels = {
  domain: 'Domain',
  description: 'Note',
  hidden: 'Hidden',
} satisfies Record<keyof DomainValues, string>
