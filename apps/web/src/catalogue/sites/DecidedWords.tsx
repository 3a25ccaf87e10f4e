import { ActionIcon, Group, Input, Stack, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { siteLabels } from '@tallyroom/contract/catalogue/labels'
import type { WordReading } from '@tallyroom/domain/holds'
import { IconX } from '@tabler/icons-react'
import { Select } from '../../ui/Select.tsx'
import type { SiteValues } from './site-form.ts'

/** What the site's new words were decided to mean. They come here by decisions, so none is added by hand. */
export function DecidedWords({ form }: { form: UseFormReturnType<SiteValues> }) {
  const words = form.values.wordReadings
  return (
    <Input.Wrapper
      label={siteLabels['wordReadings']}
      labelElement="div"
      description="What was new in the merchant’s postbacks, and what staff said that it means. If you remove one, it is asked about when it comes again"
      error={form.errors['wordReadings']}
    >
      <Stack gap={6} mt={6}>
        {words.length === 0 && (
          <Text size="sm" c="dimmed">
            None yet.
          </Text>
        )}
        {words.map(({ parameter, value, event }, index) => {
          const word = `${parameter}=${value}`
          return (
            <Group key={`${event} ${word}`} gap={6} wrap="nowrap">
              <Text size="sm" flex={1} style={{ overflowWrap: 'anywhere' }}>
                <code>{word}</code> {event === 'sale' ? '' : `with ${event}`}
              </Text>
              <Select
                aria-label={`Meaning of ${word}`}
                data={meanings}
                w={170}
                {...form.getInputProps(`wordReadings.${index}.reading`)}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                size={30}
                aria-label={`Remove ${word}`}
                onClick={() => form.removeListItem('wordReadings', index)}
              >
                <IconX size={15} />
              </ActionIcon>
            </Group>
          )
        })}
      </Stack>
    </Input.Wrapper>
  )
}

const meanings: { value: WordReading; label: string }[] = [
  { value: 'takes-back', label: 'Takes back' },
  { value: 'nothing', label: 'Means nothing' },
  { value: 'ignored', label: 'Does not count' },
  { value: 'counts', label: 'Counts' },
]
