import { Button, Group } from '@mantine/core'
import type { AnswerOf } from '@tallyroom/contract/endpoint'
import { signInRulesLabels } from '@tallyroom/contract/people/labels'
import { signInRulesEndpoints } from '@tallyroom/contract/people/sign-in-rules'
import { FACTOR_GROUPS, type SignInRules } from '@tallyroom/domain/sign-in-rules'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { useToday } from '../../lib/clock.ts'
import { FOR_FORM, queryOf } from '../../lib/queries.ts'
import { refreshMe } from '../../lib/refresh-me.ts'
import { LastChanges } from '../../shared/LastChanges.tsx'
import { DayPicker } from '../../ui/dates/DayPicker.tsx'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { FormSection } from '../../ui/form/FormSection.tsx'
import { useRecordForm } from '../../ui/form/use-record-form.ts'
import { toastSaved } from '../../ui/toasts.tsx'
import { ProviderRule } from './ProviderRule.tsx'

const rulesQuery = queryOptions({ ...queryOf(signInRulesEndpoints.signInRules, {}), ...FOR_FORM })

/** For superadmins: of whom a second factor is required, and from when on for what decides about money. */
export function SignInRulesPage() {
  return (
    <>
      <FormLoader query={useQuery(rulesQuery)} fields={FACTOR_GROUPS.length + 1}>
        {(rules) => <SignInRulesForm key={rules.version} rules={rules} />}
      </FormLoader>
      <ProviderRule />
      <LastChanges object="signInRules:0" />
    </>
  )
}

type Saved = AnswerOf<typeof signInRulesEndpoints.signInRules>

function SignInRulesForm({ rules }: { rules: Saved }) {
  const client = useQueryClient()
  const { form, frame } = useRecordForm({
    endpoint: signInRulesEndpoints.saveSignInRules,
    opened: {
      record: rules,
      reload: () => call(signInRulesEndpoints.signInRules, {}),
      valuesOf: ({ version: _version, ...values }: Saved): Omit<Saved, 'version'> => values,
      labels: signInRulesLabels,
    },
    bodyOf: (values, version) => ({ ...values, version }),
    onSaved: () => {
      toastSaved()
      void client.invalidateQueries({ queryKey: rulesQuery.queryKey })
      // They may be one of those who need a factor now.
      void refreshMe().catch(() => {})
    },
  })
  const today = useToday()
  const field = (group: keyof SignInRules) => (
    <Group key={group} gap="xs" align="end" wrap="nowrap">
      <DayPicker
        label={signInRulesLabels[group]}
        value={form.values[group]}
        min={today}
        onChange={(day) => form.setFieldValue(group, day)}
        error={form.errors[group]}
      />
      {form.values[group] !== null && (
        <Button
          variant="default"
          aria-label={`Don’t require a second factor: ${signInRulesLabels[group]}`}
          onClick={() => form.setFieldValue(group, null)}
        >
          Off
        </Button>
      )}
    </Group>
  )
  return (
    <FormFrame submitLabel="Save" {...frame}>
      <FormSection
        title="Second factor required"
        about="From its day on, in New York, whoever has no second factor is asked to add one before anything else. Without a day, each chooses for themselves. API tokens and mails go on."
      >
        {FACTOR_GROUPS.map(field)}
      </FormSection>
      <FormSection
        title="Second factor to approve"
        about="Whoever has a second factor is asked for it each time they approve, close a period, download a file for the bank or let an admin manage pay, and a passkey signs what they approve. From this day on, nobody approves, downloads a file for the bank or lets an admin manage pay without one."
      >
        {field('secondActs')}
      </FormSection>
    </FormFrame>
  )
}
