import type { CommonLogItem } from '@tallyroom/contract/desk/common-logs'
import { useState } from 'react'

export type ParamsKind = 'postParams' | 'getParams'

export const paramsKey = ({ id }: CommonLogItem, kind: ParamsKind) => `${id} ${kind}`

/** Which parameters are expanded. */
export function useOpenedParams() {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  return {
    opened,
    onToggle: (key: string) => setOpened((last) => last.symmetricDifference(new Set([key]))),
  }
}
