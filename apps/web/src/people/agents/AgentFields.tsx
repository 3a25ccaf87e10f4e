import { Checkbox, Textarea, TextInput } from '@mantine/core'
import { agentLabels } from '@tallyroom/contract/people/labels'
import type { UseFormReturnType } from '@mantine/form'
import { can } from '@tallyroom/domain/abilities'
import type { ReactNode } from 'react'
import { useMe } from '../../lib/session.ts'
import { AccountFields } from '../../ui/form/AccountFields.tsx'
import { FormSection, WholeRow } from '../../ui/form/FormSection.tsx'
import { inputsOf } from '../../ui/form/inputs-of.ts'
import { addressLabel } from '../invitations/first-password.ts'
import { FirstPassword } from '../invitations/FirstPassword.tsx'
import type { AgentValues } from './agent-form.ts'

interface AgentFieldsProps {
  form: UseFormReturnType<AgentValues>
  isNew?: boolean
  /** A select, a text, or nothing, depending on the viewer. */
  office: ReactNode
  sites: ReactNode
  /** Shown below *Login blocked*. */
  loginNote?: string | undefined
  /** Below an address that waits for its link to be opened. */
  unconfirmed?: ReactNode
}

export function AgentFields({
  form,
  isNew = false,
  office,
  sites,
  loginNote,
  unconfirmed,
}: AgentFieldsProps) {
  const me = useMe()
  const { text, check } = inputsOf(form, agentLabels)
  return (
    <>
      <FormSection title="Agent" about="Who the agent is, and the office they sell for.">
        {office}
        <TextInput withAsterisk {...text('firstName', 64)} />
        <TextInput withAsterisk {...text('lastName', 64)} />
      </FormSection>
      <FormSection title="Account" about="How the agent signs in.">
        <AccountFields
          form={form}
          isNew={isNew}
          maxLength={10}
          description="At most 10 characters. It can’t be changed later."
          {...(isNew && { password: <FirstPassword form={form} address="email below" /> })}
        />
        <TextInput
          {...addressLabel(form.values.way, agentLabels.email)}
          type="email"
          description={
            unconfirmed
              ? 'Not confirmed yet: the link in our mail to this address has not been opened'
              : 'For a forgotten password, and for what the bell says. It counts once the agent signs in and opens the link that we mail to it.'
          }
          maxLength={254}
          autoComplete="off"
          {...form.getInputProps('email')}
        />
        {unconfirmed}
      </FormSection>
      <FormSection title="Selling" about="What the agent reads on Home, and which sites they sell.">
        <WholeRow>
          <Textarea
            label={`${agentLabels.mustRead} (optional)`}
            autosize
            minRows={3}
            maxRows={12}
            maxLength={10_000}
            {...form.getInputProps('mustRead')}
          />
        </WholeRow>
        <WholeRow>{sites}</WholeRow>
      </FormSection>
      <FormSection title="State" about="Links of an agent who is not active stop working.">
        <Checkbox {...check('active')} />
        {can(me, 'hidden.see') && <Checkbox {...check('hidden')} />}
        <Checkbox {...(loginNote && { description: loginNote })} {...check('loginBlocked')} />
      </FormSection>
    </>
  )
}
