/**
 * Makes the loader of @mujoco/mujoco fit for the page, whose policy forbids `new Function`: the two places where the loader builds a
 * function from text become closures that do the same. The build fails where the loader is not the one this was written for (3.14.0).
 * The package is under Apache-2.0, which asks to say that its file was changed.
 */

const INVOKER = 'new Function(...args, invokerFnBody)(...closureArgs)';
const CALLER = 'new Function(...params, functionBody)(...args)';
/** Never reached in a page; a bundler would look for the module. */
const NODE_ONLY = "await import('module')";
/** The loader's own address of its module; the page gives the bytes (workers/host/mujoco-file.ts). */
const ADDRESS = "new URL('mujoco.wasm', import.meta.url).href";

/** Calls a function of the module: converts arguments, calls, frees what conversion made, converts the result. */
const PLAIN_INVOKER = `(() => {
  const given = argTypes.slice(2);
  const self = isClassMethodFunc ? argTypes[1] : null;
  const result = argTypes[0];
  const free = (type, value) => { if (type.destructorFunction !== null) type.destructorFunction(value); };
  const plainPair = self === null && given.length === 2 && !returns && !needsDestructorStack && given.every((type) => type.destructorFunction === null);
  if (plainPair) {
    const [first, second] = given;
    return function (a, b) {
      if (arguments.length !== 2) checkArgCount(arguments.length, minArgs, expectedArgCount, humanName, throwBindingError);
      cppInvokerFunc(cppTargetFunc, first.toWireType(null, a), second.toWireType(null, b));
    };
  }
  return function (...list) {
    checkArgCount(list.length, minArgs, expectedArgCount, humanName, throwBindingError);
    const stack = needsDestructorStack ? [] : null;
    const head = self === null ? [] : [self.toWireType(stack, this)];
    const wires = given.map((type, i) => type.toWireType(stack, list[i]));
    const value = cppInvokerFunc(cppTargetFunc, ...head, ...wires);
    if (stack !== null) runDestructors(stack);
    else {
      if (self !== null) free(self, head[0]);
      given.forEach((type, i) => free(type, wires[i]));
    }
    if (returns) return result.fromWireType(value);
  };
})()`;

/** Calls a function of JavaScript for the module. */
const PLAIN_CALLER = `(obj, func, destructorsRef, data) => {
  const list = [];
  let offset = 0;
  for (let i = 0; i < argCount; i++) {
    list.push(types[i].readValueFromPointer(data + offset));
    offset += types[i].argPackAdvance;
  }
  const value = kind === 1 ? new func(...list) : kind === 0 ? func.call(obj, ...list) : func.call(...list);
  if (!retType.isVoid) return emval_returnValue(retType, destructorsRef, value);
}`;

/** The text of mujoco.js without functions made from text. Throws where it is not the text this was written for. */
export function withoutEval(text) {
  for (const piece of [INVOKER, CALLER]) {
    if (text.split(piece).length !== 2)
      throw new Error(`mujoco-plugin: this mujoco.js is not that of 3.14.0: "${piece}" is not there once.`);
  }
  return text.replace(INVOKER, () => PLAIN_INVOKER).replace(CALLER, () => PLAIN_CALLER);
}

/** For the page's build and its workers'. */
export function mujocoPlugin() {
  return {
    name: 'mujoco-without-eval',
    enforce: 'pre',
    transform(code, id) {
      if (!/@mujoco[\\/]mujoco[\\/]mujoco\.js$/.test(id)) return null;
      return { code: withoutEval(code).replaceAll(ADDRESS, "'mujoco.wasm'").replace(NODE_ONLY, '{}'), map: null };
    },
  };
}
