import { Checkbox, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { AccountFields } from '../../ui/form/AccountFields.tsx'
import { FormSection } from '../../ui/form/FormSection.tsx'
import { inputsOf } from '../../ui/form/inputs-of.ts'
import { adminLabels } from '@tallyroom/contract/people/labels'
import { FirstPassword } from '../invitations/FirstPassword.tsx'
import { adminFlags, type AdminValues } from './admin-form.ts'

interface AdminFieldsProps {
  form: UseFormReturnType<AdminValues>
  isNew?: boolean
}

export function AdminFields({ form, isNew = false }: AdminFieldsProps) {
  const { text, check } = inputsOf(form, adminLabels)
  return (
    <>
      <FormSection title="Account" about="How the admin signs in, and where emails go.">
        <TextInput
          type="email"
          withAsterisk
          autoComplete="off"
          description="For 30 days after a change, the former address is told of changes to this account, too"
          {...text('email', 254)}
        />
        <AccountFields
          form={form}
          isNew={isNew}
          maxLength={10}
          description="At most 10 characters. It can’t be changed later."
          {...(isNew && { password: <FirstPassword form={form} address="email above" /> })}
        />
      </FormSection>
      <FormSection title="Permissions" about="What this admin may do beyond other admins.">
        {adminFlags.map((field) => (
          <Checkbox key={field} {...check(field)} />
        ))}
      </FormSection>
    </>
  )
}
