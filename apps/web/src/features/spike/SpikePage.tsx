import { Stack } from '@mantine/core'
import { BasicsSection } from './BasicsSection.tsx'
import { DatesSection } from './DatesSection.tsx'
import { FormSection } from './FormSection.tsx'
import { ListSection } from './ListSection.tsx'
import { MessagesSection } from './MessagesSection.tsx'
import { PickersSection } from './PickersSection.tsx'

/** The test page (specification 1, /app/spike): widgets of the product in their states, for those who build and review it. */
export const SpikePage = () => (
  <Stack gap={36} pb={40}>
    <BasicsSection />
    <MessagesSection />
    <FormSection />
    <DatesSection />
    <PickersSection />
    <ListSection />
  </Stack>
)
