/** Play, have it copied, watch the copy, take over: an agent taught by hand. */
import { TeachPath } from '#ui/stage/Teach.tsx';

export default function TeachView() {
  return <TeachPath />;
}
