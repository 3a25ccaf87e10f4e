import type { BodyOf } from '@tallyroom/contract/endpoint'
import type { Office, officesEndpoints } from '@tallyroom/contract/people/offices'
import { officeLabels, passwordLabels } from '@tallyroom/contract/people/labels'
import type { OfficeFormData } from './offices.api.ts'

/** The fields of the office form. */
export type OfficeValues = {
  officeName: string
  manFirstName: string
  manLastName: string
  manEmail: string
  username: string
  password: string
  passwordConfirm: string
  agentNotes: string
  preferredDomainId: number | null
  /** Null means every site, including those added while the form is open. */
  siteIds: number[] | null
  active: boolean
  hidden: boolean
}

/** A new office is active and has all sites and the first domain. */
export const newOfficeValues = ({ domains }: OfficeFormData): OfficeValues => ({
  officeName: '',
  manFirstName: '',
  manLastName: '',
  manEmail: '',
  username: '',
  password: '',
  passwordConfirm: '',
  agentNotes: '',
  preferredDomainId: domains[0]?.id ?? null,
  siteIds: null,
  active: true,
  hidden: false,
})

export const officeValues = (office: Office): OfficeValues => ({
  officeName: office.officeName,
  manFirstName: office.manFirstName,
  manLastName: office.manLastName,
  manEmail: office.manEmail,
  username: office.username,
  password: '',
  passwordConfirm: '',
  agentNotes: office.agentNotes,
  preferredDomainId: office.preferredDomainId,
  siteIds: office.siteIds,
  active: office.active,
  hidden: office.hidden,
})

export const newOfficeOf = ({
  siteIds,
  ...values
}: OfficeValues): BodyOf<typeof officesEndpoints.createOffice> => ({
  ...values,
  ...(siteIds && { siteIds }),
})

export const officeChangeOf = (
  { siteIds, ...values }: OfficeValues,
  version?: number,
): BodyOf<typeof officesEndpoints.updateOffice> => ({ ...values, siteIds: siteIds ?? [], version })

/** Field names for messages. */
export const officeFormLabels = { ...officeLabels, ...passwordLabels } satisfies Record<
  keyof OfficeValues,
  string
>
