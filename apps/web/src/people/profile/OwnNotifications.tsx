import { Box, SegmentedControl, Stack, Text } from '@mantine/core'
import { notificationsEndpoints } from '@tallyroom/contract/desk/notifications'
import {
  type MailChoice,
  mailChoicesOf,
  type Topic,
  topicLabels,
  TOPICS,
} from '@tallyroom/domain/facts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { queryOf } from '../../lib/queries.ts'
import { FormSection, WholeRow } from '../../ui/form/FormSection.tsx'
import { toastSaved } from '../../ui/toasts.tsx'
import classes from './OwnNotifications.module.css'

export const notificationsQuery = queryOf(notificationsEndpoints.notifications, {})

/** What the account hears of by mail. Each choice is saved at once. */
export function OwnNotifications() {
  const client = useQueryClient()
  const { data } = useQuery(notificationsQuery)
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (body: { topic: Topic; choice: MailChoice }) =>
      call(notificationsEndpoints.chooseNotifications, { body }),
    onSuccess: async () => {
      toastSaved()
      await client.invalidateQueries({ queryKey: notificationsQuery.queryKey })
    },
  })
  if (!data) return null
  return (
    <Box maw={1120} id="notifications">
      <FormSection
        title="Notifications"
        about="Email notifications. Mails about your password, address and payment account always come."
      >
        <WholeRow>
          <Stack gap="sm" maw={560}>
            {data.email === null && (
              <Text size="sm" c="dimmed">
                Your account has no confirmed email address, so no emails are sent. Enter one above.
                The bell shows all of it.
              </Text>
            )}
            {TOPICS.map((topic) => {
              const choice = data.choices[topic]
              if (choice === undefined) return null
              const shown = isPending && variables?.topic === topic ? variables.choice : choice
              return (
                <div key={topic} className={classes.topic}>
                  <span id={`topic-${topic}`}>{topicLabels[topic]}</span>
                  <SegmentedControl
                    size="xs"
                    aria-labelledby={`topic-${topic}`}
                    data={mailChoicesOf(topic).map((value) => ({
                      value,
                      label: choiceLabels[value],
                    }))}
                    value={shown}
                    onChange={(value) => mutate({ topic, choice: value })}
                  />
                </div>
              )
            })}
            <Text size="sm" c="dimmed">
              Mails are bundled every ten minutes. The digest comes at 07:00 in New York.
            </Text>
          </Stack>
        </WholeRow>
      </FormSection>
    </Box>
  )
}

const choiceLabels: Record<MailChoice, string> = {
  off: 'Off',
  'at once': 'At once',
  digest: 'Digest',
}
