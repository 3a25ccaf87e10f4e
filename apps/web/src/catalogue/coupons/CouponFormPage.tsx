import { Button, Checkbox, TextInput } from '@mantine/core'
import { couponsEndpoints } from '@tallyroom/contract/catalogue/coupons'
import { couponLabels, passOnLabel } from '@tallyroom/contract/catalogue/labels'
import type { BodyOf } from '@tallyroom/contract/endpoint'
import { COUPON_LENGTH } from '@tallyroom/domain/coupons'
import type { Day } from '@tallyroom/domain/new-york'
import { useToday } from '../../lib/clock.ts'
import { AgentSelect } from '../../shared/pickers/AgentSelect.tsx'
import { SiteSelect } from '../../shared/pickers/SiteSelect.tsx'
import { TypeSelect } from '../../shared/pickers/TypeSelect.tsx'
import { DayPicker } from '../../ui/dates/DayPicker.tsx'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { FormSection } from '../../ui/form/FormSection.tsx'
import { useFormEnd } from '../../ui/form/use-form-end.ts'
import { useRecordForm } from '../../ui/form/use-record-form.ts'
import { refreshCoupons } from './coupons.api.ts'

interface CouponValues extends Record<string, unknown> {
  code: string
  siteId: number | null
  typeId: number | null
  agentId: number | null
  fromDay: Day | null
  untilDay: Day | null
  passOn: boolean
}

const noValues: CouponValues = {
  code: '',
  siteId: null,
  typeId: null,
  agentId: null,
  fromDay: null,
  untilDay: null,
  passOn: false,
}

/** Site and agent 0 do not exist. The form itself reports missing ones. */
const couponOf = ({
  siteId,
  agentId,
  ...values
}: CouponValues): BodyOf<typeof couponsEndpoints.createCoupon> => ({
  ...values,
  siteId: siteId ?? 0,
  agentId: agentId ?? 0,
})

/** Staff give a code to an agent. */
export function CouponFormPage() {
  const today = useToday()
  const { form, frame } = useRecordForm({
    endpoint: couponsEndpoints.createCoupon,
    values: noValues,
    bodyOf: couponOf,
    alsoRefused: ({ siteId, agentId }) => ({
      ...(siteId === null && { siteId: 'Choose a site' }),
      ...(agentId === null && { agentId: 'Choose an agent' }),
    }),
    ...useFormEnd('/app/links/coupons', refreshCoupons),
  })
  const { values, errors } = form
  return (
    <FormFrame {...frame} submitLabel="Add Code">
      <FormSection
        title="Coupon code"
        about="Orders that the merchant reports with this code are sales of the agent. Saving asks for your password. A code can’t be changed later, only ended."
      >
        <TextInput
          label={couponLabels.code}
          withAsterisk
          description="As the merchant’s shop knows it. Case does not matter"
          maxLength={COUPON_LENGTH.most}
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('code')}
        />
        <SiteSelect
          placeholder="Choose a site"
          required
          width={260}
          value={values.siteId}
          onChange={(siteId) => form.setValues({ siteId: siteId ?? null, typeId: null })}
          error={errors['siteId']}
        />
        <TypeSelect
          label={couponLabels.typeId}
          siteId={values.siteId ?? undefined}
          value={values.typeId}
          onChange={(typeId) => form.setFieldValue('typeId', typeId ?? null)}
          error={errors['typeId']}
        />
        <AgentSelect
          placeholder="Choose an agent"
          required
          value={values.agentId}
          onChange={(agentId) => form.setFieldValue('agentId', agentId ?? null)}
          error={errors['agentId']}
        />
        <DayPicker
          label={couponLabels.fromDay}
          value={values.fromDay ?? today}
          min={today}
          onChange={(day) => form.setFieldValue('fromDay', day)}
          error={errors['fromDay']}
        />
        <DayPicker
          label={couponLabels.untilDay}
          value={values.untilDay}
          min={values.fromDay ?? today}
          onChange={(day) => form.setFieldValue('untilDay', day)}
          error={errors['untilDay']}
        />
        {values.untilDay !== null && (
          <Button variant="subtle" onClick={() => form.setFieldValue('untilDay', null)}>
            Without a last day
          </Button>
        )}
        <Checkbox
          label={passOnLabel}
          description="Needed for a code of a deleted agent: customers may still use it"
          {...form.getInputProps('passOn', { type: 'checkbox' })}
        />
      </FormSection>
    </FormFrame>
  )
}
