/** Answers in the protocol that Bluesky speaks. */

export interface XrpcAnswer {
  status: number;
  body: Record<string, unknown>;
  headers?: Readonly<Record<string, string>>;
}

export function xrpcFail(status: number, error: string, message: string): XrpcAnswer {
  return { status, body: { error, message } };
}

export function xrpcLimited(waitMs: number): XrpcAnswer {
  const headers = { 'retry-after': String(Math.ceil(waitMs / 1000)) };
  return { ...xrpcFail(429, 'RateLimitExceeded', 'Rate Limit Exceeded'), headers };
}
