import type { OfficeFee } from '@tallyroom/contract/office-fees'
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

/** Saves rates over the version that is on screen, and keeps what is on screen as the server has it. */
export function useFeeSaves({ siteId, typeId }: TypeKey) {
  const client = useQueryClient()
  // The row tells of its failures itself.
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
        throw new Error('Somebody else has changed this row. It shows what they have saved.', {
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

/** A refusal of a field says why; the field's own check says the same before it is sent. */
function readable(error: unknown): unknown {
  if (!isApiError(error, 'VALIDATION_ERROR')) return error
  const [refusal] = Object.entries(error.data)
  return refusal ? new Error(`${refusal[0]} ${refusal[1].join(', ')}`, { cause: error }) : error
}
