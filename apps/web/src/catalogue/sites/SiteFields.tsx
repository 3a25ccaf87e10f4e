import { Checkbox, NumberInput, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ChangeEvent } from 'react'
import { SITE_CATEGORIES } from '@tallyroom/domain/labels'
import { FormSection, WholeRow } from '../../ui/form/FormSection.tsx'
import { inputsOf } from '../../ui/form/inputs-of.ts'
import { DecidedWords } from './DecidedWords.tsx'
import { WordsField } from './WordsField.tsx'
import { namesFrom, type SiteValues } from './site-form.ts'
import { siteLabels } from '@tallyroom/contract/catalogue/labels'
import { SiteSelect } from '../../shared/pickers/SiteSelect.tsx'
import { TypeSelect } from '../../shared/pickers/TypeSelect.tsx'
import { Select } from '../../ui/Select.tsx'

interface SiteFieldsProps {
  form: UseFormReturnType<SiteValues>
  /** Its shorter names are proposed from the first. */
  isNew?: boolean
}

export function SiteFields({ form, isNew = false }: SiteFieldsProps) {
  const { text, check } = inputsOf(form, siteLabels)
  return (
    <>
      <FormSection title="Site" about="The merchant’s shop or service, and what it is called here.">
        <TextInput
          withAsterisk
          {...text('sitename', 128)}
          {...(isNew && {
            onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) =>
              form.setValues(namesFrom(form.values, currentTarget.value)),
          })}
        />
        <TextInput withAsterisk description="In exports" {...text('shortname', 16)} />
        <TextInput
          withAsterisk
          description="In the sites of an office or agent"
          {...text('abbr', 10)}
        />
        <TextInput withAsterisk inputMode="url" {...text('url', 128)} />
        <Select
          label={siteLabels['type']}
          withAsterisk
          placeholder="Choose a type"
          data={[...SITE_CATEGORIES]}
          {...form.getInputProps('type')}
        />
      </FormSection>
      <FormSection
        title="Contact"
        about="Whom to contact about this site. Only for your own records."
      >
        <TextInput autoComplete="off" {...text('contactName', 64)} />
        <TextInput autoComplete="off" {...text('phoneNum', 64)} />
        <TextInput type="email" autoComplete="off" {...text('email', 64)} />
        <WholeRow>
          <Textarea autosize minRows={2} maxRows={12} {...text('note', 10_000)} />
        </WholeRow>
      </FormSection>
      <FormSection title="State" about="Whether the site is live, and where it shows.">
        {stateFlags.map(({ field, description }) => (
          <Checkbox key={field} description={description} {...check(field)} />
        ))}
      </FormSection>
      <FormSection
        title="Visitors"
        about="Where tracked links may lead, and where visitors go once this site or the link type of their link is suspended: without a choice, to a page that says so. A change applies within a second, and saving it asks for your password."
      >
        <WholeRow>
          <Textarea
            description="Links can lead to any page on the host of their URL. Here, one a line, further hosts of the merchant, such as shop.example.com"
            autosize
            minRows={1}
            maxRows={8}
            autoCapitalize="none"
            spellCheck={false}
            {...text('deepHosts', 5_000)}
          />
        </WholeRow>
        <SiteSelect
          label={siteLabels['insteadTypeId']}
          placeholder="Nowhere"
          width={320}
          value={form.values.insteadSiteId}
          onChange={(siteId) =>
            form.setValues({ insteadSiteId: siteId ?? null, insteadTypeId: null })
          }
        />
        {form.values.insteadSiteId !== null && (
          <TypeSelect
            label="Its link type"
            placeholder="Choose a link type"
            width={320}
            siteId={form.values.insteadSiteId}
            value={form.values.insteadTypeId}
            error={form.errors['insteadTypeId']}
            onChange={(typeId) => form.setFieldValue('insteadTypeId', typeId ?? null)}
          />
        )}
      </FormSection>
      <FormSection
        title="Pay"
        about="How its sales count, which decides what is paid. Approve sale and AVP count for sales made after a change, the rest for postbacks that arrive after it. Saving a change asks for your password."
      >
        {payFlags.map(({ field, description }) => (
          <Checkbox key={field} description={description} {...check(field)} />
        ))}
        <NumberInput
          label={siteLabels['countsForDays']}
          description="Sales that come later are held for a decision. 0 means no limit"
          min={0}
          max={3650}
          allowDecimal={false}
          {...form.getInputProps('countsForDays')}
        />
        <Select
          label={siteLabels['partRule']}
          description="When a merchant refunds only part of a sale"
          data={partChoices}
          {...form.getInputProps('partRule')}
        />
      </FormSection>
      <FormSection
        title="Coupon codes"
        about="A code stands in for a click: an order is the sale of the agent whose code it has. A change counts from then on, and saving it asks for your password."
      >
        <Checkbox
          description="For an order with one agent’s click and another’s code. If off, the click counts"
          {...check('couponWins')}
        />
        <TextInput
          description="What codes agents may make themselves, with * for what they choose, such as *-TR10. Take one that fits none of the merchant’s own codes. If empty, only you make codes"
          autoCapitalize="characters"
          spellCheck={false}
          {...text('couponPattern', 32)}
        />
      </FormSection>
      <FormSection
        title="Postbacks"
        about="How the merchant’s reports are read, which decides what is paid. A change counts for postbacks that arrive after it, and saving it asks for your password. Most sites keep these."
        folded={{
          says: postbacksInWords(form.values),
          hasError: [
            'clickParam',
            'transactionIdIsClick',
            'alwaysOkText',
            'eventWords',
            'statusWords',
            'wordReadings',
          ].some((field) => Object.keys(form.errors).some((name) => name.startsWith(field))),
        }}
      >
        <TextInput
          description="Carries the click id to the merchant and back. If empty: click_id"
          placeholder="click_id"
          autoCapitalize="none"
          spellCheck={false}
          {...text('clickParam', 16)}
        />
        <Checkbox
          description="For trackers that send our click id as transaction_id"
          {...check('transactionIdIsClick')}
        />
        <TextInput
          description="For trackers that expect a fixed response, such as OK, whatever the outcome"
          spellCheck={false}
          {...text('alwaysOkText', 128)}
        />
        <WholeRow>
          <WordsField form={form} field="eventWords" />
        </WholeRow>
        <WholeRow>
          <WordsField form={form} field="statusWords" />
        </WholeRow>
        <WholeRow>
          <DecidedWords form={form} />
        </WholeRow>
      </FormSection>
    </>
  )
}

/** `Click id click_id, answers in full, our own event names`. */
function postbacksInWords(values: SiteValues): string {
  const { clickParam, transactionIdIsClick, alwaysOkText, eventWords, statusWords } = values
  const decided = values.wordReadings.length
  const words = eventWords.filter(({ word }) => word !== '').length
  const statuses = statusWords.filter(({ word }) => word !== '').length
  return [
    `Click id in ${clickParam || 'click_id'}`,
    transactionIdIsClick && 'also as transaction_id',
    alwaysOkText ? `always answers ${alwaysOkText}` : 'answers with the outcome',
    words === 0 ? 'our event names' : `${words} event ${words === 1 ? 'name' : 'names'}`,
    statuses > 0 && `${statuses} status ${statuses === 1 ? 'word' : 'words'}`,
    decided > 0 && `${decided} decided ${decided === 1 ? 'word' : 'words'}`,
  ]
    .filter(Boolean)
    .join(', ')
}

const partChoices = [
  { value: 'ask', label: 'Hold it for a decision' },
  { value: 'whole', label: 'Takes back the whole sale' },
  { value: 'in-proportion', label: 'Takes back the same part' },
]

type Flag = { field: keyof SiteValues; description: string }

const stateFlags: Flag[] = [
  { field: 'active', description: 'Tracked links are live' },
  { field: 'hidden', description: 'Not offered in selects, and left out of rankings' },
  { field: 'specialReport', description: 'For your own records. Has no effect here' },
]

const payFlags: Flag[] = [
  {
    field: 'useApproveSale',
    description:
      'The merchant reports each order twice: Day#1 Approval, then Day#2 Sale. Without a Day#2 rate, the sale pays the Day#1 rate',
  },
  {
    field: 'severalProducts',
    description: 'Another link type under the same order number is another sale',
  },
  { field: 'avp', description: 'Sales count towards agent volume pay' },
]
