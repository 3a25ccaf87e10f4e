import { ActionIcon, Button, Group, Input, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { POSTBACK_EVENTS } from '@tallyroom/domain/event-types'
import { IconX } from '@tabler/icons-react'
import type { SiteValues } from './site-form.ts'
import { Select } from '../../ui/Select.tsx'

/** Maps the merchant's names for events to ours. */
export function EventWordsField({ form }: { form: UseFormReturnType<SiteValues> }) {
  const words = form.values.eventWords
  return (
    <Input.Wrapper
      label="Event names"
      labelElement="div"
      description="The merchant’s names for events that differ from ours"
      error={form.errors['eventWords']}
    >
      <Stack gap={6} mt={6}>
        {words.map((_, index) => (
          <Group key={form.key(`eventWords.${index}`)} gap={6} wrap="nowrap" align="flex-start">
            <TextInput
              aria-label={`Event name ${index + 1}`}
              placeholder="Name"
              maxLength={64}
              autoCapitalize="none"
              spellCheck={false}
              flex={1}
              {...form.getInputProps(`eventWords.${index}.word`)}
            />
            <Select
              aria-label={`Meaning of event name ${index + 1}`}
              data={[...POSTBACK_EVENTS]}
              allowDeselect={false}
              w={130}
              {...form.getInputProps(`eventWords.${index}.event`)}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={30}
              aria-label={`Remove event name ${index + 1}`}
              onClick={() => form.removeListItem('eventWords', index)}
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
            onClick={() => form.insertListItem('eventWords', { word: '', event: 'sale' })}
          >
            Add event name
          </Button>
        </div>
      </Stack>
    </Input.Wrapper>
  )
}

/** The limit of the API. */
const MOST = 50
