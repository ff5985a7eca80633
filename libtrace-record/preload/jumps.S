/* Exported functions that cannot be functions of C: what they lead to finds arguments, stack and return address as their
 * caller left them. */
#include <asm/unistd.h>

#include "jumps.h"

#if RUN_HAS_JUMPS

#if defined(__x86_64__)
	.macro begins name
	.globl \name
	.type \name, @function
	.balign 16
\name:
	.cfi_startproc
	endbr64
	.endm

	.macro ends name
	.cfi_endproc
	.size \name, . - \name
	.endm

	/* A call with a list of arguments, which cannot be handed on: to where that variable has it, or to the wrapper. */
	.macro has_list name
	begins \name
	mov run_next_\name(%rip), %r11
	test %r11, %r11
	jz run_wrap_\name
	jmp *%r11
	ends \name
	.endm

	.text
	/* It returns twice: after a note. */
	begins vfork
	sub $8, %rsp
	.cfi_adjust_cfa_offset 8
	call run_note_vfork
	add $8, %rsp
	.cfi_adjust_cfa_offset -8
	jmp *%rax
	ends vfork

	/* It may return twice, or on another stack: what cannot restrict the program is not called but jumped to. */
	begins syscall
	cmp $__NR_seccomp, %edi
	je run_wrap_syscall
	cmp $__NR_prctl, %edi
	je run_wrap_syscall
	mov run_next_syscall(%rip), %r11
	test %r11, %r11
	jz run_wrap_syscall
	jmp *%r11
	ends syscall
#else
	.macro begins name
	.globl \name
	.type \name, %function
	.balign 16
\name:
	.cfi_startproc
	hint 34 /* bti c */
	.endm

	.macro ends name
	.cfi_endproc
	.size \name, . - \name
	.endm

	.macro has_list name
	begins \name
	adrp x16, run_next_\name
	ldr x16, [x16, #:lo12:run_next_\name]
	cbnz x16, 1f
	b run_wrap_\name
1:
	br x16
	ends \name
	.endm

	.text
	begins vfork
	stp x29, x30, [sp, #-16]!
	.cfi_adjust_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	bl run_note_vfork
	ldp x29, x30, [sp], #16
	.cfi_adjust_cfa_offset -16
	.cfi_restore x29
	.cfi_restore x30
	mov x16, x0
	br x16
	ends vfork

	begins syscall
	cmp w0, #__NR_seccomp
	b.eq 1f
	cmp w0, #__NR_prctl
	b.eq 1f
	adrp x16, run_next_syscall
	ldr x16, [x16, #:lo12:run_next_syscall]
	cbz x16, 1f
	br x16
1:
	b run_wrap_syscall
	ends syscall
#endif

	has_list printf
	has_list fprintf
	has_list __printf_chk
	has_list __fprintf_chk

#endif

	.section .note.GNU-stack, "", %progbits
