import { Checkbox } from '@mantine/core'
import { useForm } from '@mantine/form'
import {
  OPTION_NAMES,
  type Option,
  type OptionName,
  optionsEndpoints,
} from '@tallyroom/contract/catalogue/options'
import { optionLabels } from '@tallyroom/contract/catalogue/labels'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { formQueryOf } from '../../lib/queries.ts'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { LastChanges } from '../../shared/LastChanges.tsx'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { FormSection } from '../../ui/form/FormSection.tsx'
import { useSave } from '../../ui/form/use-save.ts'
import { toastSaved } from '../../ui/toasts.tsx'

const optionsQuery = formQueryOf(optionsEndpoints.options, {})

/** Options of the whole installation. */
export const OptionsPage = () => (
  <FormLoader query={useQuery(optionsQuery)} fields={3}>
    {(options) => <OptionsForm options={options} />}
  </FormLoader>
)

function OptionsForm({ options }: { options: readonly Option[] }) {
  const client = useQueryClient()
  const form = useForm({ initialValues: valuesOf(options) })
  const saving = useSave(form, {
    // Send only the changed options: somebody else may have changed another one meanwhile.
    save: async (values: Values) => {
      const changed = OPTION_NAMES.filter((name) => form.isDirty(name))
      if (changed.length > 0)
        await call(optionsEndpoints.saveOptions, {
          body: changed.map((name) => ({
            name,
            value: values[name] ? (1 as const) : (0 as const),
          })),
        })
    },
    onSaved: () => {
      toastSaved()
      // Options decide which columns statistics show.
      void client.invalidateQueries({
        predicate: ({ queryKey }) => queryKey !== optionsQuery.queryKey,
      })
    },
  })
  return (
    <>
      <FormFrame form={form} submitLabel="Save" busy={saving.isPending} onSubmit={saving.mutate}>
        {sections.map(({ title, about, shown }) => (
          <FormSection key={title} title={title} about={about}>
            {shown.map(({ name, description }) => (
              <Checkbox
                key={name}
                label={optionLabels[name]}
                description={description}
                {...form.getInputProps(name, { type: 'checkbox' })}
              />
            ))}
          </FormSection>
        ))}
      </FormFrame>
      <LastChanges object="options:0" />
    </>
  )
}

type Values = Record<OptionName, boolean>

const valuesOf = (options: readonly Option[]): Values => {
  const isOn = (wanted: OptionName) =>
    options.some(({ name, value }) => name === wanted && value === 1)
  return {
    auto_block_account: isOn('auto_block_account'),
    payout_visible: isOn('payout_visible'),
    lpp_visible: isOn('lpp_visible'),
  }
}

const sections: {
  title: string
  about: string
  shown: { name: OptionName; description: string }[]
}[] = [
  {
    title: 'Fraud',
    about: 'What happens when a merchant reports a sale as fraud.',
    shown: [
      {
        name: 'auto_block_account',
        description:
          'Suspends an agent as soon as a merchant reports one of their sales as fraud. Activate the agent to lift the suspension; the fraud flag stays until you clear it.',
      },
    ],
  },
  {
    title: 'Statistics',
    about: 'What offices and agents see of them.',
    shown: [
      {
        name: 'payout_visible',
        description:
          'Shows payouts in statistics and logs to offices and agents. Staff always see them.',
      },
      {
        name: 'lpp_visible',
        description: 'Shows the points of sales (LPP) in statistics to everybody.',
      },
    ],
  },
]
