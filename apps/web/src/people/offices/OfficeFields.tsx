import { Checkbox, Textarea, TextInput } from '@mantine/core'
import { officeLabels } from '@tallyroom/contract/people/labels'
import type { UseFormReturnType } from '@mantine/form'
import { can } from '@tallyroom/domain/abilities'
import { useMe } from '../../lib/session.ts'
import { AccountFields } from '../../ui/form/AccountFields.tsx'
import { FormSection, WholeRow } from '../../ui/form/FormSection.tsx'
import { inputsOf } from '../../ui/form/inputs-of.ts'
import { CheckList } from '../../ui/form/CheckList.tsx'
import { EntitySelect, type EntityOption } from '../../ui/EntitySelect.tsx'
import { addressLabel } from '../invitations/first-password.ts'
import { FirstPassword } from '../invitations/FirstPassword.tsx'
import type { OfficeValues } from './office-form.ts'

interface OfficeFieldsProps {
  form: UseFormReturnType<OfficeValues>
  sites: readonly EntityOption[]
  domains: readonly EntityOption[]
  isNew?: boolean
}

export function OfficeFields({ form, sites, domains, isNew = false }: OfficeFieldsProps) {
  const { preferredDomainId, siteIds } = form.values
  const { text, check } = inputsOf(form, officeLabels)
  return (
    <>
      <FormSection title="Office" about="Its name, and the manager you deal with.">
        <TextInput withAsterisk {...text('officeName', 100)} />
        <TextInput withAsterisk {...text('manFirstName', 64)} />
        <TextInput withAsterisk {...text('manLastName', 64)} />
        <TextInput
          {...addressLabel(form.values.way, officeLabels.manEmail)}
          type="email"
          description="Receives the link if the password is forgotten. For 30 days after a change, the former address is told of changes to the account, too."
          maxLength={254}
          autoComplete="off"
          {...form.getInputProps('manEmail')}
        />
      </FormSection>
      <FormSection title="Account" about="How the office signs in.">
        <AccountFields
          form={form}
          isNew={isNew}
          mayRename={can(useMe(), 'offices.change-username')}
          maxLength={64}
          {...(!isNew && { description: 'Changing it signs the office out' })}
          {...(isNew && {
            password: <FirstPassword form={form} address="manager email above" />,
          })}
        />
      </FormSection>
      <FormSection
        title="Selling"
        about="What its agents read, which sites they sell, and the host of their links."
      >
        <WholeRow>
          <Textarea
            label={`${officeLabels.agentNotes} (optional)`}
            description="Shown to every agent of the office"
            autosize
            minRows={3}
            maxRows={12}
            maxLength={10_000}
            {...form.getInputProps('agentNotes')}
          />
        </WholeRow>
        <EntitySelect
          label={officeLabels.preferredDomainId}
          placeholder="None"
          width={260}
          options={withPresent(domains, preferredDomainId)}
          value={preferredDomainId}
          onChange={(id) => form.setFieldValue('preferredDomainId', id ?? null)}
          error={form.errors['preferredDomainId']}
        />
        <WholeRow>
          <CheckList
            label={officeLabels.siteIds}
            options={sites}
            value={siteIds ?? sites.map(({ id }) => id)}
            onChange={(ids) => form.setFieldValue('siteIds', ids)}
            error={form.errors['siteIds']}
            empty="No sites yet"
          />
        </WholeRow>
      </FormSection>
      <FormSection title="State" about="Links of an office that is not active stop working.">
        <Checkbox
          {...(!isNew && { description: 'Also applies to all of its agents' })}
          {...check('active')}
        />
        <Checkbox
          {...(!isNew && { description: 'Also applies to all of its agents' })}
          {...check('hidden')}
        />
      </FormSection>
    </>
  )
}

/** A domain that has since been hidden stays selected until another one is chosen. */
const withPresent = (domains: readonly EntityOption[], presentId: number | null) =>
  presentId === null || domains.some(({ id }) => id === presentId)
    ? domains
    : [...domains, { id: presentId, label: 'Current domain (hidden)' }]
