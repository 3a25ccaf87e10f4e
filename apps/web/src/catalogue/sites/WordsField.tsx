import { ActionIcon, Button, Group, Input, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { EVENT_MEANINGS } from '@tallyroom/domain/event-types'
import { STANDINGS } from '@tallyroom/domain/standings'
import { IconX } from '@tabler/icons-react'
import { Select } from '../../ui/Select.tsx'
import type { SiteValues } from './site-form.ts'
import { siteLabels } from '@tallyroom/contract/catalogue/labels'

interface WordsFieldProps {
  form: UseFormReturnType<SiteValues>
  /** The list to edit. */
  field: 'eventWords' | 'statusWords'
}

const looks = {
  eventWords: {
    about:
      'What happened: the merchant’s names for events that differ from ours. What means nothing is ignored',
    word: 'Event name',
    meaning: 'event',
    meanings: [...EVENT_MEANINGS],
    first: { word: '', event: 'sale' },
  },
  statusWords: {
    about: 'Whether it counts: the merchant’s own words. A status without a meaning is refused',
    word: 'Status word',
    meaning: 'standing',
    meanings: [...STANDINGS],
    first: { word: '', standing: 'counts' },
  },
} as const

/** Maps the merchant's words to ours. */
export function WordsField({ form, field }: WordsFieldProps) {
  const words = form.values[field]
  const { about, word, meaning, meanings, first } = looks[field]
  return (
    <Input.Wrapper
      label={siteLabels[field]}
      labelElement="div"
      description={about}
      error={form.errors[field]}
    >
      <Stack gap={6} mt={6}>
        {words.map((_, index) => (
          <Group key={form.key(`${field}.${index}`)} gap={6} wrap="nowrap" align="flex-start">
            <TextInput
              aria-label={`${word} ${index + 1}`}
              placeholder="Word"
              maxLength={64}
              autoCapitalize="none"
              spellCheck={false}
              flex={1}
              {...form.getInputProps(`${field}.${index}.word`)}
            />
            <Select
              aria-label={`Meaning of ${word.toLowerCase()} ${index + 1}`}
              data={[...meanings]}
              w={130}
              {...form.getInputProps(`${field}.${index}.${meaning}`)}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={30}
              aria-label={`Remove ${word.toLowerCase()} ${index + 1}`}
              onClick={() => form.removeListItem(field, index)}
            >
              <IconX size={15} />
            </ActionIcon>
          </Group>
        ))}
        <div>
          <Button
            variant="default"
            size="compact-sm"
            disabled={words.length >= MOST}
            onClick={() => form.insertListItem(field, { ...first })}
          >
            Add {word.toLowerCase()}
          </Button>
        </div>
      </Stack>
    </Input.Wrapper>
  )
}

/** The limit of the API. */
const MOST = 50
