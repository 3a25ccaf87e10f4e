import { TextInput } from '@mantine/core'
import { couponsEndpoints } from '@tallyroom/contract/catalogue/coupons'
import { couponLabels } from '@tallyroom/contract/catalogue/labels'
import { codeOfPattern, COUPON_NAME_LENGTH } from '@tallyroom/domain/coupons'
import { useQuery } from '@tanstack/react-query'
import { TypeSelect } from '../../shared/pickers/TypeSelect.tsx'
import { EntitySelect } from '../../ui/EntitySelect.tsx'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { FormSection } from '../../ui/form/FormSection.tsx'
import { useFormEnd } from '../../ui/form/use-form-end.ts'
import { useRecordForm } from '../../ui/form/use-record-form.ts'
import { patternsQuery, refreshCoupons } from './coupons.api.ts'

interface MakeValues extends Record<string, unknown> {
  siteId: number | null
  typeId: number | null
  name: string
}

const noValues: MakeValues = { siteId: null, typeId: null, name: '' }

/** An agent makes a code of their own, within the pattern of a site. */
export function MakeCouponPage() {
  const { data: patterns = [] } = useQuery(patternsQuery())
  const { form, frame } = useRecordForm({
    endpoint: couponsEndpoints.makeCoupon,
    values: noValues,
    // Site 0 does not exist. The form itself reports a missing one.
    bodyOf: ({ siteId, ...values }: MakeValues) => ({ ...values, siteId: siteId ?? 0 }),
    alsoRefused: ({ siteId }) => (siteId === null ? { siteId: 'Choose a site' } : {}),
    ...useFormEnd('/app/links/coupons', refreshCoupons),
  })
  const { siteId, typeId, name } = form.values
  const pattern = patterns.find((one) => one.siteId === siteId)?.pattern
  return (
    <FormFrame {...frame} submitLabel="Make Code">
      <FormSection
        title="Your code"
        about="Customers who order with it are your sales, without a click. Tell your network once you have made one, so that the shop knows it."
      >
        <EntitySelect
          label={couponLabels.siteId}
          placeholder="Choose a site"
          required
          width={260}
          options={patterns.map((one) => ({ id: one.siteId, label: one.sitename }))}
          value={siteId}
          onChange={(id) => form.setValues({ siteId: id ?? null, typeId: null })}
          error={form.errors['siteId']}
        />
        <TypeSelect
          label={couponLabels.typeId}
          siteId={siteId ?? undefined}
          value={typeId}
          onChange={(id) => form.setFieldValue('typeId', id ?? null)}
          error={form.errors['typeId']}
        />
        <TextInput
          label="Your part of the code"
          withAsterisk
          description={
            pattern === undefined
              ? `${COUPON_NAME_LENGTH.least} to ${COUPON_NAME_LENGTH.most} letters or digits`
              : `Makes ${codeOfPattern(pattern, name === '' ? 'NAME' : name)}`
          }
          maxLength={COUPON_NAME_LENGTH.most}
          autoCapitalize="characters"
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('name')}
        />
      </FormSection>
    </FormFrame>
  )
}
