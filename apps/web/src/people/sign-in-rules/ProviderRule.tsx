import { Box, Switch } from '@mantine/core'
import { providerEndpoints } from '@tallyroom/contract/people/provider'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { queryOf } from '../../lib/queries.ts'
import { FormSection, WholeRow } from '../../ui/form/FormSection.tsx'
import { toastSaved } from '../../ui/toasts.tsx'

const providerQuery = queryOf(providerEndpoints.staffProvider, {})

/** Whether staff sign in only through the provider. Hidden where none is configured. */
export function ProviderRule() {
  const client = useQueryClient()
  const { data } = useQuery(providerQuery)
  const save = useMutation({
    mutationFn: (only: boolean) => call(providerEndpoints.requireProvider, { body: { only } }),
    onSuccess: () => toastSaved(),
    onSettled: () => client.invalidateQueries({ queryKey: providerQuery.queryKey }),
  })
  if (!data?.name) return null
  return (
    <Box mt="xl">
      <FormSection
        title="Staff"
        about={`Turn this on in a session that you opened with ${data.name}, so that you don’t lock yourself out. Sessions that are open go on. The operator can turn it off on the command line.`}
      >
        <WholeRow>
          <Switch
            label={`Staff sign in only through ${data.name}`}
            checked={data.only}
            disabled={save.isPending}
            onChange={({ currentTarget }) => save.mutate(currentTarget.checked)}
          />
        </WholeRow>
      </FormSection>
    </Box>
  )
}
