import type { OfficeFee } from '@tallyroom/contract/catalogue/office-fees'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo, useSyncExternalStore } from 'react'
import { isApiError } from '../../lib/api-error.ts'
import {
  type FeeChange,
  saveFee,
  type TypeFees,
  type TypeKey,
  typeFeesQuery,
} from './office-fees.api.ts'
import { makeRowSaves } from './row-saves.ts'

/** Saves rates against the version on screen, and updates the screen with the server's answers. */
export function useFeeSaves({ siteId, typeId }: TypeKey) {
  const client = useQueryClient()
  // Rows show their own failures.
  const { mutateAsync } = useMutation({ mutationFn: saveFee, meta: { ownErrors: true } })

  const saves = useMemo(() => {
    const { queryKey } = typeFeesQuery({ siteId, typeId })

    const save = async (companyId: number, change: FeeChange) => {
      const present = client.getQueryData(queryKey)?.fees.find((fee) => fee.companyId === companyId)
      try {
        const saved = await mutateAsync({ ...change, typeId, companyId, version: present?.version })
        client.setQueryData(queryKey, (known) => known && withFee(known, saved))
      } catch (error) {
        if (!isApiError(error, 'CONFLICT')) throw readable(error)
        await client.invalidateQueries({ queryKey })
        throw new Error('Somebody else changed this row. It now shows what they saved.', {
          cause: error,
        })
      }
    }
    return makeRowSaves(save)
  }, [client, mutateAsync, siteId, typeId])

  return { change: saves.change, states: useSyncExternalStore(saves.subscribe, saves.states) }
}

const withFee = (known: TypeFees, saved: OfficeFee): TypeFees => ({
  ...known,
  fees: known.fees.map((fee) => (fee.companyId === saved.companyId ? saved : fee)),
})

/** Names the refused field and the reason. The field's own check normally prevents such a call. */
function readable(error: unknown): unknown {
  if (!isApiError(error, 'VALIDATION_ERROR')) return error
  const [refusal] = Object.entries(error.data)
  return refusal ? new Error(`${refusal[0]} ${refusal[1].join(', ')}`, { cause: error }) : error
}
