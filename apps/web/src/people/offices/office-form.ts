import type { BodyOf } from '@tallyroom/contract/endpoint'
import type { Office, officesEndpoints } from '@tallyroom/contract/people/offices'
import { officeLabels, passwordLabels } from '@tallyroom/contract/people/labels'
import { noPassword } from '../../ui/form/fields-of.ts'
import { type FirstPasswordValues, firstPasswordOf } from '../invitations/first-password.ts'
import type { EntityOption } from '../../ui/EntitySelect.tsx'

/** The data that the office form needs. */
export interface OfficeFormData {
  /** Undefined for a new office. */
  office: Office | undefined
  sites: EntityOption[]
  /** The first one is the default for a new office. */
  domains: EntityOption[]
}

/** The fields of the office form. */
export type OfficeValues = Omit<Office, 'companyId' | 'version' | 'siteIds'> &
  FirstPasswordValues & {
    /** Null means every site, including those added while the form is open. */
    siteIds: number[] | null
  }

/** A new office is active and has all sites and the first domain. */
export const newOfficeValues = ({ domains }: OfficeFormData): OfficeValues => ({
  officeName: '',
  manFirstName: '',
  manLastName: '',
  manEmail: '',
  username: '',
  ...noPassword,
  way: 'typed',
  agentNotes: '',
  preferredDomainId: domains[0]?.id ?? null,
  siteIds: null,
  active: true,
  hidden: false,
})

export const officeValues = ({
  companyId: _id,
  version: _version,
  ...office
}: Office): OfficeValues => ({
  ...office,
  ...noPassword,
  way: 'typed',
})

export const newOfficeOf = ({
  siteIds,
  way,
  password,
  passwordConfirm,
  ...values
}: OfficeValues): BodyOf<typeof officesEndpoints.createOffice> => ({
  ...values,
  ...firstPasswordOf({ way, password, passwordConfirm }),
  ...(siteIds && { siteIds }),
})

export const officeChangeOf = (
  { siteIds, way: _new, ...values }: OfficeValues,
  version?: number,
): BodyOf<typeof officesEndpoints.updateOffice> => ({ ...values, siteIds: siteIds ?? [], version })

/** Field names for messages. */
export const officeFormLabels = {
  ...officeLabels,
  ...passwordLabels,
  way: 'First password',
} satisfies Record<keyof OfficeValues, string>
