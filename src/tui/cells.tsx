/**
 * Lines of one row that never wrap: what does not fit is cut. They clip nothing: ink clips by the innermost box that does, so a
 * line that did would show outside of what clips around it.
 */
import { Box, Text, type TextProps } from 'ink';
import type { ReactNode } from 'react';

/** A line of text. */
export function Line({ children, ...props }: TextProps): ReactNode {
  return (
    <Box height={1} flexShrink={0}>
      <Text wrap="truncate-end" {...props}>
        {children}
      </Text>
    </Box>
  );
}

export interface CellProps extends TextProps {
  /** Columns; absent: all that the others leave. */
  readonly width?: number;
  readonly isRight?: boolean;
}

/** A cell of a `Row`. */
export function Cell({ width, isRight = false, children, ...props }: CellProps): ReactNode {
  const size = width === undefined ? { flexGrow: 1, flexBasis: 0 } : { width, flexShrink: 0 };
  return (
    <Box {...size} height={1} justifyContent={isRight ? 'flex-end' : 'flex-start'}>
      <Text wrap="truncate-end" {...props}>
        {children}
      </Text>
    </Box>
  );
}

/** Cells side by side, a blank between. */
export function Row({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <Box height={1} flexShrink={0} gap={1}>
      {children}
    </Box>
  );
}

/** The head of a part. */
export function Head({
  children,
  isChosen = false,
}: {
  readonly children: string;
  readonly isChosen?: boolean;
}): ReactNode {
  return (
    <Text bold {...(isChosen && { color: 'cyan' })} wrap="truncate-end">
      {children}
    </Text>
  );
}
